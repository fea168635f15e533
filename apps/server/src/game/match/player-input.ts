import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { applyRecorded, type RecordedMatch } from '@engulf/sim/recording';

/*
 * What players do with their cells. A command that the simulation refuses is ignored: it came too late, for instance
 * from a player who has just been eaten.
 */

type Pointer = Pick<RoomClientPayload<'movement'>, 'x' | 'y'>;

export type PlayerInput = {
  readonly recorded: RecordedMatch;
  /** Where players have pointed since the last step. */
  readonly pointers: Map<PlayerId, Pointer>;
};

export function createPlayerInput(recorded: RecordedMatch): PlayerInput {
  return { recorded, pointers: new Map() };
}

/** Only the newest pointer before a step counts. */
export function steer({ pointers }: PlayerInput, player: PlayerId, pointer: Pointer): void {
  pointers.set(player, pointer);
}

/** Call before every step. A pointer that has not moved is not recorded again. */
export function applySteering({ recorded, pointers }: PlayerInput): void {
  const { players } = recorded.world;
  for (const [player, pointer] of pointers) {
    const x = toWholeUnits(pointer.x);
    const y = toWholeUnits(pointer.y);
    const slot = findPlayer(players, player);
    if (slot < 0 || (players.offsetX[slot] === x && players.offsetY[slot] === y)) continue;
    applyRecorded(recorded, { type: 'steer', player, x, y });
  }
  pointers.clear();
}

export function split({ recorded }: PlayerInput, player: PlayerId): void {
  applyRecorded(recorded, { type: 'split', player });
}

export function eject({ recorded }: PlayerInput, player: PlayerId): void {
  applyRecorded(recorded, { type: 'eject', player });
}

/** Adding 0 turns -0 into 0: JSON cannot tell them apart, but the hash of a replayed world would. */
function toWholeUnits(offset: number): number {
  return Math.round(offset) + 0;
}
