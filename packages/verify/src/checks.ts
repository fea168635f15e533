/** In the order in which they are made. */
export const CHECKS = [
  'recording',
  'commitment',
  'block',
  'replay',
  'entries',
  'settlement',
  'payments',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** How far a check has come. */
export type CheckReport = {
  readonly check: CheckName;
  /** Open: nothing speaks against it, but it cannot be decided yet. */
  readonly state: 'running' | 'fits' | 'open' | 'wrong';
  /** For people. */
  readonly what: string;
  /** While playing again: the tick that was reached. */
  readonly tick?: number;
};

export type Verdict = {
  /** True only if everything was checked and fits. */
  readonly isRight: boolean;
  /** The check that found something, with what it found. */
  readonly wrong: { readonly check: CheckName; readonly what: string } | undefined;
  /** What could not be checked yet. */
  readonly open: readonly string[];
  /** For people. */
  readonly line: string;
};
