import { createWorld } from '@engulf/sim/create-world';
import type { ArenaEvent } from '@engulf/sim/events';
import type { MatchKey } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { type Difference, replaySegment } from '@engulf/sim/recording/replay';
import type { OpenedRecording } from '@engulf/verify/open-recording';
import { joinsOf } from '@engulf/verify/replay-match';
import { contentOf } from './playback.ts';

/** Something worth seeing, at its tick. */
export type Mark =
  | {
      readonly kind: 'kill';
      readonly tick: number;
      readonly killer: PlayerId;
      readonly victim: PlayerId;
      readonly isBot: boolean;
    }
  | { readonly kind: 'cashout'; readonly tick: number; readonly player: PlayerId; readonly amount: bigint }
  | { readonly kind: 'wave'; readonly tick: number; readonly count: number };

/** A life in the match: of a person, by the entry, or of a bot. */
export type Life = {
  readonly player: PlayerId;
  /** Undefined for a bot. */
  readonly entry: string | undefined;
  readonly fromTick: number;
};

export type IndexNews = {
  /** How far the match has been looked through. */
  readonly tick: number;
  readonly marks: readonly Mark[];
  readonly lives: readonly Life[];
  readonly difference: Difference | undefined;
};

/** Indexes a match from its start, a segment at a time, for the time line. Checks the hashes on the way. */
export function createMatchIndex(recording: OpenedRecording, key: MatchKey) {
  const { rules, spill } = recording.header;
  const world = createWorld({ key, rules, spill });
  const bots = new Set<PlayerId>();
  let nextSegment = 0;
  let difference: Difference | undefined;

  return {
    get isDone() {
      return difference !== undefined || nextSegment >= recording.segmentCount;
    },
    async readNext(): Promise<IndexNews> {
      const marks: Mark[] = [];
      const lives: Life[] = [];
      const segment = contentOf(await recording.segment(nextSegment++));
      const joins = joinsOf(segment);
      let nextJoin = 0;
      difference = replaySegment(world, segment, (events) => {
        for (const event of events) {
          const { tick } = world.clock;
          if (event.type === 'spawned') {
            if (event.isBot) bots.add(event.player);
            const entry = event.isBot ? undefined : joins[nextJoin++]?.entry;
            lives.push({ player: event.player, entry, fromTick: tick });
          }
          const mark = markOf(event, tick);
          if (mark) marks.push(mark);
        }
      });
      return { tick: world.clock.tick, marks, lives, difference };
    },
  };

  function markOf(event: ArenaEvent, tick: number): Mark | undefined {
    switch (event.type) {
      case 'killed':
        return {
          kind: 'kill',
          tick,
          killer: event.killer,
          victim: event.victim,
          isBot: bots.has(event.victim),
        };
      case 'exited':
        return { kind: 'cashout', tick, player: event.player, amount: event.bounty };
      case 'portalPhase':
        return event.phase === 'active' ? { kind: 'wave', tick, count: event.count } : undefined;
      default:
        return undefined;
    }
  }
}

/** What can be read from a recording without playing it, in ticks. */
export async function surveyRecording(recording: OpenedRecording): Promise<{
  readonly keyframeTicks: readonly number[];
  readonly joinTicks: ReadonlyMap<string, number>;
}> {
  const keyframeTicks = [0];
  const joinTicks = new Map<string, number>();
  for (let index = 0; index < recording.segmentCount; index++) {
    const segment = contentOf(await recording.segment(index));
    if (segment.keyframe) keyframeTicks.push(segment.startTick);
    for (const { entry, after } of joinsOf(segment)) joinTicks.set(entry, segment.startTick + after);
  }
  return { keyframeTicks, joinTicks };
}
