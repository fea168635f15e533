/** In the order in which they are made. */
export const CHECKS = [
  'recording',
  'commitment',
  'block',
  'anchor',
  'replay',
  'entries',
  'portals',
  'inputs',
  'settlement',
  'payments',
  'program',
  'hashes',
  'receipts',
] as const;
export type CheckName = (typeof CHECKS)[number];

/** What one check found. For people. */
export type Finding =
  | { readonly wrong: string }
  | {
      readonly fits: string;
      /** What cannot be decided, and what to do about it. */
      readonly open?: readonly string[];
      /** What can only be known later, because the match goes on. */
      readonly later?: readonly string[];
      /** Not wrong, but worth knowing. */
      readonly notes?: readonly string[];
    };

/** How far a check has come. */
export type CheckReport = {
  readonly check: CheckName;
  /** Open: nothing speaks against it, but it cannot be decided yet. */
  readonly state: 'running' | 'fits' | 'open' | 'wrong';
  /** For people. */
  readonly what: string;
  readonly notes?: readonly string[];
  /** What can only be known later. */
  readonly later?: readonly string[];
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
  /** What is not wrong, but worth knowing. */
  readonly notes: readonly string[];
  /** Of a match that goes on: how far it was checked. It is not right before all of it was. */
  readonly soFar?: SoFar | undefined;
  /** For people. */
  readonly line: string;
};

export type SoFar = {
  readonly seconds: number;
  /** What can only be known later. */
  readonly later: readonly string[];
  /** Entries that were settled as the recording says, with what they got. */
  readonly settled: ReadonlyMap<string, bigint>;
};

/** "12 min 5 s". */
export function durationText(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

/** "1 entry", "2 entries". */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
