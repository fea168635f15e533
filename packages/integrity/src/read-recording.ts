import { createWorld } from '@engulf/sim/create-world';
import type { MatchKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import {
  finishSegment,
  hasSteps,
  playSegment,
  stepSegment,
  type WatchEvents,
} from '@engulf/sim/recording/replay';
import type { Segment } from '@engulf/sim/recording/segment';
import { loadWorld, saveWorld } from '@engulf/sim/snapshot';
import type { World } from '@engulf/sim/world';
import type { OpenedRecording } from '@engulf/verify/open-recording';
import { joinsOf } from '@engulf/verify/replay-match';
import type { MatchEvidence } from './evidence.ts';
import { createWatch } from './watch.ts';

/** Where reading ended, so that it can go on with the next segments, in another process and much later. */
export type Bookmark = {
  readonly world: Uint8Array;
  readonly present: readonly {
    readonly player: PlayerId;
    readonly entry: string;
    readonly joinedTick: number;
  }[];
};

export type ReadResult =
  | { readonly ok: true; readonly evidence: MatchEvidence; readonly bookmark: Bookmark }
  | { readonly ok: false; readonly problem: string };

export type ReadOptions = {
  /** Who plays an entry. */
  readonly accountOf: (entry: string) => string | undefined;
  /** Where these segments go on from; from the start without it. */
  readonly from?: Bookmark | undefined;
  /** Lets others have the core. */
  readonly pause?: () => Promise<unknown>;
};

/** Plays segments of a recording once and watches them. Memory grows with their length, so a long match is read in parts. */
export async function readEvidence(
  recording: OpenedRecording,
  key: MatchKey,
  { accountOf, from, pause = async () => undefined }: ReadOptions,
): Promise<ReadResult> {
  const world = beginAt(recording, key, from);
  const entries = new Map(from?.present.map(({ player, ...rest }) => [player, rest]));
  const accountOfPlayer = (player: PlayerId) => accountOf(entries.get(player)?.entry ?? '');
  const watch = createWatch(
    from?.present.map(({ player, joinedTick }) => ({
      player,
      account: accountOfPlayer(player),
      stake: stakeOf(world, player),
      joinedTick,
    })),
  );
  for (let index = 0; index < recording.segmentCount; index++) {
    const read = await recording.segment(index);
    if (!read.ok) return { ok: false, problem: read.error.problem };
    const { startTick } = read.value;
    if (startTick !== world.clock.tick)
      return { ok: false, problem: `a segment begins at tick ${startTick}` };
    const difference = watchSegment(read.value);
    if (difference) return { ok: false, problem: `${difference.what} at tick ${difference.tick}` };
    await pause();
  }
  const present = [...entries]
    .filter(([player]) => findPlayer(world.players, player) >= 0)
    .map(([player, rest]) => ({ player, ...rest }));
  return { ok: true, evidence: watch.finish(), bookmark: { world: saveWorld(world), present } };

  function watchSegment(segment: Segment) {
    const joins = joinsOf(segment);
    let next = 0;
    const player = playSegment(segment);
    const onStep: WatchEvents = (events, world) => {
      for (const event of events) {
        if (event.type !== 'spawned' || event.isBot) continue;
        entries.set(event.player, { entry: joins[next++]?.entry ?? '', joinedTick: world.clock.tick });
      }
      watch.step(world, events, accountOfPlayer);
    };
    while (hasSteps(player)) {
      const difference = stepSegment(world, player, onStep);
      if (difference) return difference;
    }
    return finishSegment(world, player, onStep);
  }
}

function beginAt({ header }: OpenedRecording, key: MatchKey, from: Bookmark | undefined): World {
  const { rules, spill } = header;
  return from ? loadWorld(from.world, rules, key) : createWorld({ key, rules, spill });
}

function stakeOf({ players }: World, player: PlayerId): number {
  const slot = findPlayer(players, player);
  return slot < 0 ? 0 : Number(players.stake[slot]);
}
