import { ARENA_TEXT } from '../text.ts';

/** A cell as the page knows it. */
type SeenCell = {
  readonly kind: string;
  readonly mass: number;
  readonly player: { readonly id: number; readonly name: string } | undefined;
};

type Seen = { largest: number; cellCount: number; splitAtMs: number; seenAtMs: number };

/** How somebody was eaten. */
export type Fate = {
  readonly kind: 'splitOnto' | 'inPieces' | 'byGiant' | 'caught';
  /** The killer's largest cell over the own one. */
  readonly times: number;
  readonly pieces: number;
};

export type Witness = {
  /** To be called after every frame. `ownId` is undefined without a body. */
  note(cells: readonly SeenCell[], ownId: number | undefined, nowMs: number): void;
  /** Undefined if the killer was not in sight at the end. */
  fateBy(killer: string): Fate | undefined;
};

const LOOK_EVERY_MS = 100;
/** A killer that has divided so shortly before has split onto its prey. */
const SPLIT_WITHIN_MS = 1_500;
const OUT_OF_SIGHT_MS = 1_000;
const GIANT_TIMES = 6;

/** Remembers who was near, so that a death can be explained by what was to be seen. */
export function createWitness(): Witness {
  const others = new Map<string, Seen>();
  let own = { largest: 0, cellCount: 0 };
  let lookedMs = Number.NEGATIVE_INFINITY;
  let diedMs = Number.NEGATIVE_INFINITY;
  return {
    note(cells, ownId, nowMs) {
      if (ownId === undefined || nowMs - lookedMs < LOOK_EVERY_MS) return;
      lookedMs = nowMs;
      diedMs = nowMs;
      const now = new Map<string, { id: number; largest: number; cellCount: number }>();
      for (const { kind, mass, player } of cells) {
        if (kind !== 'cell' || !player) continue;
        const was = now.get(player.name);
        const largest = Math.max(was?.largest ?? 0, mass);
        now.set(player.name, { id: player.id, largest, cellCount: (was?.cellCount ?? 0) + 1 });
      }
      for (const [name, { id, largest, cellCount }] of now) {
        if (id === ownId) {
          own = { largest, cellCount };
          continue;
        }
        const before = others.get(name);
        const hasSplit = before !== undefined && cellCount > before.cellCount;
        const splitAtMs = hasSplit ? nowMs : (before?.splitAtMs ?? Number.NEGATIVE_INFINITY);
        others.set(name, { largest, cellCount, splitAtMs, seenAtMs: nowMs });
      }
    },
    fateBy(killer) {
      const seen = others.get(killer);
      if (!seen || own.largest === 0 || diedMs - seen.seenAtMs > OUT_OF_SIGHT_MS) return undefined;
      const times = seen.largest / own.largest;
      return { kind: kindOf(seen, times), times, pieces: own.cellCount };
    },
  };

  function kindOf({ splitAtMs }: Seen, times: number): Fate['kind'] {
    if (diedMs - splitAtMs <= SPLIT_WITHIN_MS) return 'splitOnto';
    if (own.cellCount > 1) return 'inPieces';
    return times >= GIANT_TIMES ? 'byGiant' : 'caught';
  }
}

/** What happened, and what would have helped. */
export function fateText({ kind, times, pieces }: Fate, killer: string): { what: string; advice: string } {
  const { what, advice } = ARENA_TEXT.rekt.fates[kind];
  return { what: what(killer, times < 10 ? times.toFixed(1) : String(Math.round(times)), pieces), advice };
}
