import { availableParallelism } from 'node:os';

/** What the page is measured in: a match, the whole map, or a recording. */
export type WebScene = 'play' | 'spectate' | 'replay';

export type WebFigures = Readonly<Record<string, number | string>>;

type Goal = { readonly figure: string; readonly limit: number; readonly isAtLeast?: boolean };

const SCRIPT: readonly Goal[] = [
  { figure: 'scriptMsP50', limit: 1.5 },
  { figure: 'scriptMsP95', limit: 4 },
];
const GOALS: Readonly<Record<WebScene, readonly Goal[]>> = {
  play: SCRIPT,
  spectate: SCRIPT,
  replay: [{ figure: 'framesPerSecond', limit: 60, isAtLeast: true }],
};

/** Long tasks are the drawing itself where the processor does it. */
const LONG_TASKS: Goal = { figure: 'longTasksOver50', limit: 0 };

export type Verdict = {
  readonly figure: string;
  readonly goal: string;
  readonly measured: number | string | undefined;
  readonly verdict: string;
};

/** A goal that is missed says nothing where other programs had the processor. One that is met under load is met. */
export function judge(
  scene: WebScene,
  figures: WebFigures,
  { hasGraphicsCard, loadBefore }: { hasGraphicsCard: boolean; loadBefore: number },
): readonly Verdict[] {
  const isBusy = loadBefore > availableParallelism() / 2;
  return [...GOALS[scene], LONG_TASKS].map((goal) => {
    const { figure, limit, isAtLeast = false } = goal;
    const measured = figures[figure];
    return {
      figure,
      goal: `${isAtLeast ? '≥' : '≤'} ${limit}`,
      measured,
      verdict: verdictOn(goal, measured),
    };
  });

  function verdictOn(goal: Goal, measured: number | string | undefined): string {
    if (goal === LONG_TASKS && !hasGraphicsCard) return 'not judged: no graphics card';
    const isMet =
      typeof measured === 'number' && (goal.isAtLeast ? measured >= goal.limit : measured <= goal.limit);
    if (isMet) return 'pass';
    return isBusy ? `not judged: load ${loadBefore.toFixed(1)} before the run` : 'miss';
  }
}
