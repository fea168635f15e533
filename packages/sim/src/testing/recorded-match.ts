import type { Command } from '../commands.ts';
import type { ArenaEvent } from '../events.ts';
import { type PlayerId, playerId } from '../players.ts';
import { createRandom, type Random, randomBelow, randomBetween } from '../random.ts';
import { applyRecorded, type RecordedMatch, startRecordedMatch } from '../recording.ts';
import { standardRules } from '../rules.ts';
import { hashWorld, loadWorld, saveWorld } from '../snapshot.ts';
import { step } from '../step.ts';
import type { World } from '../world.ts';

/** Plays a busy scripted match among bots and returns the hash of its last state. */
export function determinismHash(seed: number, steps: number, { saveAt = -1 } = {}): string {
  return hashWorld(recordMatch(seed, steps, saveAt).world);
}

export function recordMatch(
  seed: number,
  steps: number,
  saveAt = -1,
): RecordedMatch & { events: ArenaEvent[] } {
  let match = startRecordedMatch(seed, standardRules);
  const script = createRandom(seed + 1);
  const events: ArenaEvent[] = [];
  applyRecorded(match, { type: 'setPopulation', count: 24 });
  for (let tick = 0; tick < steps; tick++) {
    if (tick === saveAt) match = { ...match, world: loadWorld(saveWorld(match.world), standardRules) };
    for (let i = randomBelow(script, 4); i > 0; i--)
      applyRecorded(match, scriptedCommand(match.world, script));
    events.push(...step(match.world));
  }
  return { ...match, events };
}

function scriptedCommand({ players }: World, script: Random): Command {
  const player: PlayerId = playerId(players, randomBelow(script, Math.max(1, players.top)));
  const draw = randomBelow(script, 100);
  if (draw < 2) return { type: 'join', stake: BigInt(randomBelow(script, 1_000_000)) };
  if (draw < 3) return { type: 'disconnect', player };
  if (draw < 4) return { type: 'reconnect', player };
  if (draw < 14) return { type: 'split', player };
  if (draw < 34) return { type: 'eject', player };
  return { type: 'steer', player, x: randomBetween(script, -900, 900), y: randomBetween(script, -900, 900) };
}
