import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { Match } from '../match/match.ts';
import type { Connection } from '../room/connection.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { countSpectators, placesOf, seatSpectator, unseatSpectator } from './gallery.ts';

export type PlaceRefusal = Failure<'ACTIVE_SESSION_EXISTS' | 'EXISTING_SESSION_DETECTED' | 'LOBBY_FULL'>;

/**
 * Lets somebody watch who has no part in the match: the whole arena in view would be an advantage. Asked whenever
 * a connection is made, also one that is made again, for a spectator may have taken a seat in between.
 */
export function takePlace(
  { roster, views: { gallery } }: Match,
  userId: UserId,
  connection: Connection,
): Result<undefined, PlaceRefusal> {
  for (const { seat, state } of roster.byEntry.values()) {
    if (seat.userId !== userId || state === 'over') continue;
    return err(failure(state === 'playing' ? 'ACTIVE_SESSION_EXISTS' : 'EXISTING_SESSION_DETECTED'));
  }
  const isFull = countSpectators(gallery) >= ROOM_LIMITS.maxSpectators;
  if (isFull || placesOf(gallery, userId).length >= ROOM_LIMITS.maxSpectatorsPerUser) {
    return err(failure('LOBBY_FULL'));
  }
  seatSpectator(gallery, connection, userId);
  return ok(undefined);
}

/** Whoever takes a seat stops watching. */
export function closePlaces({ views: { gallery } }: Match, userId: UserId): void {
  for (const connection of placesOf(gallery, userId)) {
    unseatSpectator(gallery, connection);
    connection.kick('You play in this lobby now');
  }
}
