import { ROOM_LIMITS } from '../limits.ts';
import type { Match } from './match.ts';
import { countSeated, type Participant } from './roster.ts';

/*
 * A free seat costs nothing, so whoever does nothing with it gives it up while the lobby is full. The menu does not offer
 * a full lobby, so nobody can be asked whether others wait. A paid seat is its player's.
 */

/** A hand that rests on the mouse moves it by less, in world units. */
const RESTING = 20;

/** What shows that somebody plays: splitting, ejecting, and another pointer. */
export function noteInput(
  { world }: Match,
  participant: Participant,
  pointer?: { x: number; y: number },
): void {
  if (pointer) {
    const { x, y } = participant.pointer;
    if (Math.abs(pointer.x - x) + Math.abs(pointer.y - y) <= RESTING) return;
    participant.pointer = { x: pointer.x, y: pointer.y };
  }
  participant.activeAtTick = world.clock.tick;
}

/** Call once a second. */
export function freeIdleSeats({ lobby, roster, world, logger }: Match): void {
  if (!lobby.isFree || countSeated(roster) < lobby.maxPlayers) return;
  const { clock, rules } = world;
  for (const participant of roster.byEntry.values()) {
    const { connection, state, isExpelled, seat } = participant;
    if (state !== 'playing' || !connection || isExpelled) continue;
    const idleSeconds = (clock.tick - participant.activeAtTick) / rules.stepsPerSecond;
    const { idleSeatSeconds, idleNoticeSeconds } = ROOM_LIMITS;
    if (idleSeconds < idleSeatSeconds) continue;
    const isTold = participant.idleToldAtTick > participant.activeAtTick;
    if (!isTold) {
      participant.idleToldAtTick = clock.tick;
      connection.send('serverMessage', {
        message: `This lobby is full. Move within ${idleNoticeSeconds} seconds to keep your place.`,
      });
    } else if ((clock.tick - participant.idleToldAtTick) / rules.stepsPerSecond >= idleNoticeSeconds) {
      participant.isExpelled = true;
      logger.info({ userId: seat.userId }, 'an idle player gave up the seat');
      connection.expel('You did not move for a while, and the lobby was full');
    }
  }
}
