import { type Applied, applyCommand, type Command } from './commands.ts';
import { createWorld } from './create-world.ts';
import type { ArenaEvent } from './events.ts';
import type { Rules } from './rules.ts';
import { step } from './step.ts';
import type { World } from './world.ts';

/** All that is needed to play a match again: how it began and what was accepted before which step. */
export type Recording = {
  readonly seed: number;
  readonly rules: Rules;
  readonly spill: bigint;
  readonly commands: { readonly tick: number; readonly command: Command }[];
};

export type RecordedMatch = { readonly world: World; readonly recording: Recording };

export function startRecordedMatch(seed: number, rules: Rules, spill = 0n): RecordedMatch {
  return { world: createWorld({ seed, rules, spill }), recording: { seed, rules, spill, commands: [] } };
}

/** Applies a command and, unless it was refused, logs it. */
export function applyRecorded(match: RecordedMatch, command: Command): Applied {
  const applied = applyCommand(match.world, command);
  if (applied.ok) match.recording.commands.push({ tick: match.world.clock.tick, command });
  return applied;
}

/**
 * Plays a recording up to a tick and returns the world there.
 * @internal Only tests replay matches so far.
 */
export function replay(
  recording: Recording,
  untilTick: number,
  onEvents?: (events: readonly ArenaEvent[], world: World) => void,
): World {
  const { seed, rules, spill, commands } = recording;
  const world = createWorld({ seed, rules, spill });
  let next = 0;
  for (;;) {
    for (; next < commands.length && commands[next]!.tick === world.clock.tick; next++) {
      const applied = applyCommand(world, commands[next]!.command);
      if (!applied.ok)
        throw new Error(`The recording is damaged: command ${next} was refused, ${applied.refusal}`);
    }
    if (world.clock.tick >= untilTick || world.clock.isEnded) return world;
    const events = step(world);
    onEvents?.(events, world);
  }
}
