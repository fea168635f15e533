import type { VisitWatch } from '../visit.ts';

/** What the clients saw. */
export type Figures = {
  readonly watch: VisitWatch;
  note(outcome: string): void;
  /** One table, and one of the outcomes with the errors among them. */
  summary(playedMs: number): Record<string, string | number>;
  outcomes(): Record<string, number>;
};

/** Between two updates of the arena, if none is late. */
const UPDATE_MS = 40;

export function createFigures(nowMs: () => number): Figures {
  const delaysMs: number[] = [];
  const joinsMs: number[] = [];
  const counts = { drops: 0, reconnects: 0 };
  const outcomes = new Map<string, number>();
  return {
    watch: {
      joined: (tookMs) => joinsMs.push(tookMs),
      dropped: () => counts.drops++,
      reconnected: () => counts.reconnects++,
      updates: () => {
        let lastMs: number | undefined;
        return () => {
          const atMs = nowMs();
          if (lastMs !== undefined) delaysMs.push(Math.max(0, atMs - lastMs - UPDATE_MS));
          lastMs = atMs;
        };
      },
    },
    note: (outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
    summary: (playedMs) => {
      delaysMs.sort((a, b) => a - b);
      joinsMs.sort((a, b) => a - b);
      return {
        joins: joinsMs.length,
        'joins per second': (joinsMs.length / (playedMs / 1000)).toFixed(2),
        'time into the room, median ms': at(joinsMs, 0.5),
        'time into the room, p95 ms': at(joinsMs, 0.95),
        'updates of the arena': delaysMs.length,
        'update later than 40 ms after the one before by, median ms': at(delaysMs, 0.5),
        'p95 ms': at(delaysMs, 0.95),
        'p99 ms': at(delaysMs, 0.99),
        'worst ms': at(delaysMs, 1),
        ...counts,
      };
    },
    outcomes: () => Object.fromEntries([...outcomes].sort()),
  };
}

function at(sorted: readonly number[], part: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return value === undefined ? '–' : value.toFixed(1);
}
