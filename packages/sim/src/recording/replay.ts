import { applyCommand } from '../commands.ts';
import type { ArenaEvent } from '../events.ts';
import { hashState, saveWorld } from '../snapshot.ts';
import { step } from '../step.ts';
import type { World } from '../world.ts';
import { isSame } from './frames.ts';
import type { Segment } from './segment.ts';

/** The first place where a recording is not what the arena does. */
export type Difference = { readonly tick: number; readonly what: string };

export type WatchEvents = (events: readonly ArenaEvent[], world: World) => void;

/** Plays a segment on a world that stands at its start. Undefined if everything fits. */
export function replaySegment(world: World, segment: Segment, watch?: WatchEvents): Difference | undefined {
  const { clock } = world;
  const differs = (what: string) => ({ tick: clock.tick, what });
  if (segment.startTick !== clock.tick) return differs(`the segment begins at tick ${segment.startTick}`);
  if (segment.keyframe && !isSame(segment.keyframe, saveWorld(world))) {
    return differs('the keyframe is not the state');
  }
  const commands = [...segment.commands];
  const tracks = segment.tracks.map(({ player, points }) => ({ player, points, next: 0 }));
  let nextCommand = 0;
  for (let after = 0; ; after++) {
    for (; commands[nextCommand]?.after === after; nextCommand++) {
      const applied = applyCommand(world, commands[nextCommand]!.command);
      if (!applied.ok) return differs(`a recorded command is refused: ${applied.refusal}`);
    }
    if (after === segment.tickCount) break;
    for (const track of tracks) {
      const point = track.points[track.next];
      if (point?.after !== after) continue;
      track.next++;
      const applied = applyCommand(world, { type: 'steer', player: track.player, x: point.x, y: point.y });
      if (!applied.ok) return differs(`a recorded pointer is refused: ${applied.refusal}`);
    }
    const { tick } = clock;
    const events = step(world);
    watch?.(events, world);
    if (clock.tick === tick) return differs('the match has ended before');
  }
  // An ended world reports what ended it.
  if (clock.isEnded) {
    const events = step(world);
    watch?.(events, world);
  }
  return isSame(segment.stateHash, hashState(saveWorld(world))) ? undefined : differs('the state differs');
}
