import { createWorld } from '@engulf/sim/create-world';
import type { ArenaEvent } from '@engulf/sim/events';
import type { MatchKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import type { RecordingFault } from '@engulf/sim/recording/bytes';
import type { InputClaim } from '@engulf/sim/recording/input-statement';
import { type Difference, replaySegment } from '@engulf/sim/recording/replay';
import type { Segment } from '@engulf/sim/recording/segment';
import type { World } from '@engulf/sim/world';
import { type AfterCut, whatMayFollow } from './after-cut.ts';
import { gatherInputs, type InputGatherer } from './gather-inputs.ts';
import type { OpenedRecording } from './open-recording.ts';
import { noteWaves, type Wave } from './waves.ts';

/** How the replay ends for one entry. */
type ReplayedEntry = {
  readonly player: PlayerId;
  readonly stake: bigint;
  /** When it joined. */
  readonly tick: number;
  /** When it was out; undefined while it lives. */
  readonly leftTick: number | undefined;
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
  /** Waves whose block was named; how many were placed by one, and how many were not although there was time. */
  readonly portals: { readonly waves: readonly Wave[]; readonly keyed: number; readonly missed: number };
  readonly inputs: Pick<InputGatherer, 'byPlayer' | 'kept'>;
  /** What the rules allow after the end of a recording that was cut. */
  readonly afterCut: AfterCut | undefined;
};

export type ReplayResult =
  | { readonly kind: 'replayed'; readonly match: ReplayedMatch }
  | { readonly kind: 'damaged'; readonly fault: RecordingFault }
  | { readonly kind: 'differs'; readonly difference: Difference };

/** Plays a recording from its first tick and compares every hash on the way. */
export async function replayMatch(
  recording: OpenedRecording,
  key: MatchKey,
  onProgress?: (tick: number) => void,
  keptClaims: readonly InputClaim[] = [],
): Promise<ReplayResult> {
  const world = beginWorld(recording, key);
  if ('what' in world) return { kind: 'differs', difference: world };
  const ledger: Ledger = {
    joined: new Map(),
    outcomes: new Map(),
    inputs: gatherInputs(keptClaims),
    waves: [],
    hasTestMass: false,
    hasBots: false,
  };
  for (let index = 0; index < recording.segmentCount; index++) {
    const segment = await recording.segment(index);
    if (!segment.ok) return { kind: 'damaged', fault: segment.error };
    ledger.hasTestMass ||= segment.value.commands.some(({ command }) => command.type === 'testMass');
    noteWaves(ledger.waves, segment.value);
    const difference = replayOne(world, segment.value, ledger);
    if (difference) return { kind: 'differs', difference };
    ledger.inputs.noteSegment(segment.value);
    onProgress?.(world.clock.tick);
  }
  return { kind: 'replayed', match: describe(world, ledger) };
}

/** Rules of unknown origin may be such that there is no such arena. */
function beginWorld({ header }: OpenedRecording, key: MatchKey): World | Difference {
  const { rules, spill } = header;
  try {
    return createWorld({ key, rules, spill });
  } catch (error) {
    return { tick: 0, what: `no arena can have these rules: ${(error as Error).message}` };
  }
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
  readonly joined: Map<string, { readonly player: PlayerId; readonly stake: bigint; readonly tick: number }>;
  readonly waves: Wave[];
  readonly outcomes: Map<PlayerId, Outcome & { readonly tick: number }>;
  readonly inputs: InputGatherer;
  hasTestMass: boolean;
  hasBots: boolean;
};

function replayOne(world: World, segment: Segment, ledger: Ledger): Difference | undefined {
  const { joined, outcomes } = ledger;
  const entries = joinsOf(segment);
  let next = 0;
  let repeated: Difference | undefined;
  try {
    const watch = (events: readonly ArenaEvent[]) => {
      for (const event of events) {
        if (event.type === 'spawned') {
          if (event.isBot) {
            ledger.hasBots = true;
            continue;
          }
          const { entry, stake, after } = entries[next++]!;
          // It would play with a stake that nobody paid.
          if (joined.has(entry)) repeated ??= { tick: world.clock.tick, what: `entry ${entry} joins twice` };
          joined.set(entry, { player: event.player, stake, tick: segment.startTick + after });
        }
        const ended = outcomeOf(event);
        if (ended) outcomes.set(ended.player, { ...ended.outcome, tick: world.clock.tick });
      }
      ledger.inputs.noteStep(world.clock.tick);
    };
    const difference = replaySegment(world, segment, watch, ledger.inputs.watch);
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

function describe(world: World, ledger: Ledger): ReplayedMatch {
  const { joined, outcomes, inputs, waves, hasTestMass, hasBots } = ledger;
  const entries = new Map<string, ReplayedEntry>();
  const living = new Map<string, number>();
  for (const [entry, { player, stake, tick }] of joined) {
    const slot = findPlayer(world.players, player);
    if (slot >= 0) living.set(entry, slot);
    const bounty = slot < 0 ? 0n : world.players.bounty[slot]!;
    const { tick: leftTick, ...outcome } = outcomes.get(player) ?? { tick: undefined };
    const ended = 'kind' in outcome ? outcome : undefined;
    entries.set(entry, { player, stake, tick, leftTick, outcome: ended, bounty });
  }
  const { clock, money, beacons } = world;
  const { tick: finalTick, isEnded } = clock;
  const afterCut = isEnded ? undefined : whatMayFollow(world, living);
  const portals = { waves, keyed: beacons.keyed, missed: beacons.missed };
  return { entries, finalTick, isEnded, spill: money.spill, hasTestMass, hasBots, portals, inputs, afterCut };
}
