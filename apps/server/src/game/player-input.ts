import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import { findPlayer } from '@engulf/sim/players';
import { applyRecorded } from '@engulf/sim/recording';
import type { Match } from './match.ts';
import type { Participant } from './roster.ts';

/*
 * What a player does with the own body. Whatever the simulation refuses, such as the input of somebody who has
 * just been eaten, was merely late.
 */

/** Whole units are exact enough for a pointer, and a pointer that rests takes no room in the recording. */
export function steer(
  { recorded, world }: Match,
  { player }: Participant,
  pointer: RoomClientPayload<'movement'>,
): void {
  if (player === undefined) return;
  const x = Math.round(pointer.x);
  const y = Math.round(pointer.y);
  const slot = findPlayer(world.players, player);
  if (slot < 0 || (world.players.offsetX[slot] === x && world.players.offsetY[slot] === y)) return;
  applyRecorded(recorded, { type: 'steer', player, x, y });
}

export function split({ recorded }: Match, { player }: Participant): void {
  if (player !== undefined) applyRecorded(recorded, { type: 'split', player });
}

export function eject({ recorded }: Match, { player }: Participant): void {
  if (player !== undefined) applyRecorded(recorded, { type: 'eject', player });
}
