import { createWorld } from '@engulf/sim/create-world';
import type { ArenaEvent } from '@engulf/sim/events';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import type { RecordingFault } from '@engulf/sim/recording/bytes';
import { type Difference, replaySegment } from '@engulf/sim/recording/replay';
import type { Segment } from '@engulf/sim/recording/segment';
import type { World } from '@engulf/sim/world';
import type { OpenedRecording } from './open-recording.ts';

/** How the replay ends for one entry. */
type ReplayedEntry = {
  readonly stake: bigint;
  /** Undefined while it lives: the recording was cut. */
  readonly outcome:
    | { readonly kind: 'cashout' | 'killed' | 'forfeit' | 'closed' | 'fault'; readonly amount: bigint }
    | undefined;
  /** What a living player carries where the recording was cut. */
  readonly bounty: bigint;
};

export type ReplayedMatch = {
  readonly entries: ReadonlyMap<string, ReplayedEntry>;
  readonly finalTick: number;
  readonly isEnded: boolean;
  readonly spill: bigint;
  /** Somebody was given mass out of nothing. */
  readonly hasTestMass: boolean;
  readonly hasBots: boolean;
};

export type ReplayResult =
  | { readonly kind: 'replayed'; readonly match: ReplayedMatch }
  | { readonly kind: 'damaged'; readonly fault: RecordingFault }
  | { readonly kind: 'differs'; readonly difference: Difference };

/** Plays a recording from its first tick and compares every hash on the way. */
export async function replayMatch(
  recording: OpenedRecording,
  key: Uint8Array,
  onProgress?: (tick: number) => void,
): Promise<ReplayResult> {
  const { rules, spill } = recording.header;
  const world = createWorld({ key, rules, spill });
  const ledger: Ledger = { joined: new Map(), outcomes: new Map(), hasTestMass: false, hasBots: false };
  for (let index = 0; index < recording.segmentCount; index++) {
    const segment = await recording.segment(index);
    if (!segment.ok) return { kind: 'damaged', fault: segment.error };
    ledger.hasTestMass ||= segment.value.commands.some(({ command }) => command.type === 'testMass');
    const difference = replayOne(world, segment.value, ledger);
    if (difference) return { kind: 'differs', difference };
    onProgress?.(world.clock.tick);
  }
  return { kind: 'replayed', match: describe(world, ledger) };
}

/** Who joins in a segment. Each spawn of a person is reported in the same order. */
export function joinsOf({
  commands,
}: Segment): readonly { readonly entry: string; readonly stake: bigint; readonly after: number }[] {
  return commands.flatMap(({ command, after }) =>
    command.type === 'join' ? [{ entry: command.entry ?? '', stake: command.stake, after }] : [],
  );
}

type Outcome = NonNullable<ReplayedEntry['outcome']>;
type Ledger = {
  readonly joined: Map<string, { readonly player: PlayerId; readonly stake: bigint }>;
  readonly outcomes: Map<PlayerId, Outcome>;
  hasTestMass: boolean;
  hasBots: boolean;
};

function replayOne(world: World, segment: Segment, ledger: Ledger): Difference | undefined {
  const { joined, outcomes } = ledger;
  const entries = joinsOf(segment);
  let next = 0;
  let repeated: Difference | undefined;
  try {
    const difference = replaySegment(world, segment, (events) => {
      for (const event of events) {
        if (event.type === 'spawned') {
          if (event.isBot) {
            ledger.hasBots = true;
            continue;
          }
          const { entry, stake } = entries[next++]!;
          // It would play with a stake that nobody paid.
          if (joined.has(entry)) repeated ??= { tick: world.clock.tick, what: `entry ${entry} joins twice` };
          joined.set(entry, { player: event.player, stake });
        }
        const ended = outcomeOf(event);
        if (ended) outcomes.set(ended.player, ended.outcome);
      }
    });
    return difference ?? repeated;
  } catch (error) {
    return { tick: world.clock.tick, what: `the arena fails: ${(error as Error).message}` };
  }
}

function outcomeOf(event: ArenaEvent): { player: PlayerId; outcome: Outcome } | undefined {
  switch (event.type) {
    case 'exited':
      return { player: event.player, outcome: { kind: 'cashout', amount: event.bounty } };
    case 'killed':
      return { player: event.victim, outcome: { kind: 'killed', amount: 0n } };
    case 'departed':
      return { player: event.player, outcome: { kind: 'forfeit', amount: event.refund } };
    case 'bountyReturned':
      return { player: event.player, outcome: { kind: event.reason, amount: event.bounty } };
    default:
      return undefined;
  }
}

function describe(world: World, { joined, outcomes, hasTestMass, hasBots }: Ledger): ReplayedMatch {
  const entries = new Map<string, ReplayedEntry>();
  for (const [entry, { player, stake }] of joined) {
    const slot = findPlayer(world.players, player);
    const bounty = slot < 0 ? 0n : world.players.bounty[slot]!;
    entries.set(entry, { stake, outcome: outcomes.get(player), bounty });
  }
  const { clock, money } = world;
  const { tick: finalTick, isEnded } = clock;
  return { entries, finalTick, isEnded, spill: money.spill, hasTestMass, hasBots };
}
