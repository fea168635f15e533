import type { ArenaEvent } from '../events.ts';
import { numberedKey } from '../keys.ts';
import { type PlayerId, playerId } from '../players.ts';
import { createRandom, type Random, randomBelow, randomBetween } from '../random.ts';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  type RecordedMatch,
  startRecordedMatch,
  stepRecorded,
} from '../recording/recorder.ts';
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
): { world: World; segments: Uint8Array[]; events: ArenaEvent[] } {
  const segments: Uint8Array[] = [];
  const key = numberedKey(seed);
  let match = startRecordedMatch({ key }, (segment) => segments.push(segment));
  const script = createRandom(numberedKey(seed + 1));
  const events: ArenaEvent[] = [];
  applyRecorded(match, { type: 'setPopulation', count: 24 });
  for (let tick = 0; tick < steps; tick++) {
    if (tick === saveAt) match = { ...match, world: loadWorld(saveWorld(match.world), standardRules, key) };
    for (let i = randomBelow(script, 4); i > 0; i--) act(match, script);
    events.push(...stepRecorded(match));
  }
  applyRecorded(match, { type: 'end', reason: 'closed' });
  events.push(...step(match.world));
  finishRecording(match);
  return { world: match.world, segments, events };
}

function act(match: RecordedMatch, script: Random): void {
  const { players } = match.world;
  const player: PlayerId = playerId(players, randomBelow(script, Math.max(1, players.top)));
  const draw = randomBelow(script, 100);
  if (draw < 2) applyRecorded(match, { type: 'join', stake: BigInt(randomBelow(script, 1_000_000)) });
  else if (draw < 3) applyRecorded(match, { type: 'disconnect', player });
  else if (draw < 4) applyRecorded(match, { type: 'reconnect', player });
  else if (draw < 14) applyRecorded(match, { type: 'split', player });
  else if (draw < 34) applyRecorded(match, { type: 'eject', player });
  else pointAt(match, player, randomBetween(script, -900, 900), randomBetween(script, -900, 900));
}
