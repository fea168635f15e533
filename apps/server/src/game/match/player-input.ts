import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import type { PlayerId } from '@engulf/sim/players';
import { applyRecorded, pointAt, type RecordedMatch } from '@engulf/sim/recording/recorder';

/*
 * What players do with their cells. A command that the simulation refuses is ignored: it came too late, for instance
 * from a player who has just been eaten.
 */

/** Takes effect in the next step. */
export function steer(
  recorded: RecordedMatch,
  player: PlayerId,
  { x, y }: Pick<RoomClientPayload<'movement'>, 'x' | 'y'>,
): void {
  pointAt(recorded, player, x, y);
}

export function split(recorded: RecordedMatch, player: PlayerId): void {
  applyRecorded(recorded, { type: 'split', player });
}

/** Only where testing is on. */
export function growForTest(recorded: RecordedMatch, player: PlayerId): void {
  applyRecorded(recorded, { type: 'testMass', player });
}

export function eject(recorded: RecordedMatch, player: PlayerId): void {
  applyRecorded(recorded, { type: 'eject', player });
}
