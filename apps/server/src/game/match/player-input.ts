import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { applyRecorded } from '@engulf/sim/recording';
import type { Match } from './match.ts';
import type { Participant } from './roster.ts';

/*
 * What a player does with the own body. Whatever the simulation refuses, such as the input of somebody who has
 * just been eaten, was merely late.
 */

/** Where players point since the last step. */
export type Pointers = Map<PlayerId, RoomClientPayload<'movement'>>;

/** The newest pointer before a step is the only one that counts. */
export function steer(
  { pointers }: Match,
  { player }: Participant,
  pointer: RoomClientPayload<'movement'>,
): void {
  if (player !== undefined) pointers.set(player, pointer);
}

/** To be called before every step. A pointer that rests takes no room in the recording. */
export function applySteering({ recorded, world, pointers }: Match): void {
  const { offsetX, offsetY } = world.players;
  for (const [player, pointer] of pointers) {
    const x = toWholeUnits(pointer.x);
    const y = toWholeUnits(pointer.y);
    const slot = findPlayer(world.players, player);
    if (slot < 0 || (offsetX[slot] === x && offsetY[slot] === y)) continue;
    applyRecorded(recorded, { type: 'steer', player, x, y });
  }
  pointers.clear();
}

/** Exact enough for a pointer. The sum makes -0 a 0: a saved recording does not tell them apart, a world's hash does. */
function toWholeUnits(offset: number): number {
  return Math.round(offset) + 0;
}

export function split({ recorded }: Match, { player }: Participant): void {
  if (player !== undefined) applyRecorded(recorded, { type: 'split', player });
}

export function eject({ recorded }: Match, { player }: Participant): void {
  if (player !== undefined) applyRecorded(recorded, { type: 'eject', player });
}
