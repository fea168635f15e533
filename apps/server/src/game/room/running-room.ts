import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { JoinOptions } from '@engulf/protocol/room/join';
import { CLOSE_CODES, type RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { Connection } from '../connection.ts';
import type { Visitor } from '../entrance/entrance.ts';
import { ROOM_LIMITS } from '../limits.ts';
import { endMatch } from '../match/ending.ts';
import { awaitsReturn, packMatch, resumeMatch } from '../match/handover.ts';
import { publishLive, startMatch } from '../match/match.ts';
import { allResultsSettled } from '../match/results.ts';
import { isAsleep } from '../match/sleeping.ts';
import { stepMatch } from '../match/step.ts';
import { startTicker } from '../match/ticker.ts';
import type { MatchMove } from '../ports.ts';
import type { Guest } from '../sockets/ingress.ts';
import { flushAll } from '../sockets/outbox.ts';
import { sendStillViews } from '../views/views.ts';
import { pause } from './pause.ts';
import { createPeople } from './people.ts';
import { expelUser, followChat } from './room-chat.ts';
import type { OpenRoom, RoomHost, RoomStart } from './room-host.ts';
import { admit, recheckVisit } from './visit.ts';
import type { Admission, Visit } from './visit-state.ts';

const ARRIVAL_CHECK_MS = 20;

/** Opens a room with a match that ticks until the room is closed, or the match has moved to another process. */
export function openRoom(host: RoomHost, start: RoomStart): OpenRoom {
  const { clock, rules, ports } = host.deps;
  const people = createPeople();
  const match =
    'state' in start
      ? resumeMatch(host.deps, start, people.announce)
      : startMatch(host.deps, start, people.announce);
  /** People who are being let in. */
  let arriving = 0;
  let isMoving = false;
  let closed: Promise<void> | undefined;
  let ticker = startTicking();
  let cancelRecheck = scheduleRecheck();
  const stopChat = followChat(match, people.visits);

  return {
    match,
    join,
    resume,
    expel: (userId, reason) => expelUser(match, userId, people.visits(), reason),
    moveAway,
    close,
  };

  async function join(
    options: JoinOptions,
    connection: Connection,
    visitor: Visitor,
  ): Promise<Result<Guest, Failure>> {
    if (isMoving || closed) return err(failure('LOBBY_OFFLINE'));
    arriving++;
    try {
      const admission = await admit(match, options, visitor);
      return admission.ok ? seat(admission.value, connection) : admission;
    } catch (error) {
      match.logger.error({ code: 'ADMISSION_FAILED', err: error }, 'could not admit a client');
      return err(failure('INTERNAL_ERROR'));
    } finally {
      arriving--;
    }
  }

  function seat(admission: Admission, connection: Connection): Result<Guest, Failure> {
    if (admission.role === 'player') host.dismissUser(admission.participant.seat.userId);
    const seated = people.seat(match, admission, connection);
    if (seated.ok) ticker.wake();
    return seated;
  }

  /** Undefined if the token is of another room, or of nobody any more. */
  function resume(token: string, connection: Connection): Result<Guest, Failure> | undefined {
    const visit = people.find(token);
    if (!visit) return undefined;
    // In a room that is closing they are still told how their game ended.
    if (isMoving) return err(failure('LOBBY_OFFLINE'));
    return visit.isKicked ? err(failure('SESSION_ENDED')) : people.resume(match, visit, connection);
  }

  function startTicking() {
    return startTicker(clock, rules.stepsPerSecond, tick);
  }

  function tick(lateMs: number): 'asleep' | undefined {
    if (awaitsReturn(match)) {
      sendStillViews(match.views, match.logger);
      return undefined;
    }
    if (isAsleep(match)) {
      publishLive(match);
      return 'asleep';
    }
    stepMatch(match, lateMs);
    // Other rooms may have their tick in the same turn of the event loop.
    flushAll();
    if (match.ending.settled) void close(CLOSE_CODES.left);
    return undefined;
  }

  function scheduleRecheck(): () => void {
    return clock.setTimer(ROOM_LIMITS.spectatorCheckMs, () => {
      for (const visit of people.visits()) void recheckVisit(match, visit);
      cancelRecheck = scheduleRecheck();
    });
  }

  async function moveAway(): Promise<boolean> {
    if (isMoving || closed) return false;
    isMoving = true;
    ticker.stop();
    const move = await handOver().catch((error: unknown) => {
      match.logger.error({ code: 'MATCH_NOT_MOVED', err: error }, 'a match could not be handed over');
      return undefined;
    });
    if (!move) {
      isMoving = false;
      if (!closed) ticker = startTicking();
      return false;
    }
    cancelRecheck();
    stopChat();
    for (const visit of people.visits()) visit.connection.send('matchMoved', forwardingOf(visit, move));
    host.forget(match.lobby.id, people.disconnect(CLOSE_CODES.left));
    return true;
  }

  async function handOver(): Promise<MatchMove | undefined> {
    await untilNobodyArrives();
    const leaving = await packMatch(match);
    return leaving && ports.handOver(leaving);
  }

  /** Afterwards, everyone whose ticket was redeemed is in the match, or never will be. */
  async function untilNobodyArrives(): Promise<void> {
    while (arriving > 0) await pause(clock, ARRIVAL_CHECK_MS);
  }

  function close(closeCode: number): Promise<void> {
    closed ??= settleAndDisconnect(closeCode);
    return closed;
  }

  async function settleAndDisconnect(closeCode: number): Promise<void> {
    const { ending, lobby } = match;
    ticker.stop();
    cancelRecheck();
    stopChat();
    if (!ending.settled) endMatch(match, 'closed');
    await ending.settled;
    // Without the lease, people who are being let in could neither play nor be refunded here.
    await untilNobodyArrives();
    await allResultsSettled(match.results);
    await people.disconnect(closeCode);
    host.release(lobby.id);
  }
}

/** How a visitor gets to the match's new process. A client that is told nothing asks for it. */
function forwardingOf({ admission, isKicked }: Visit, move: MatchMove): RoomServerPayload<'matchMoved'> {
  if (move === 'unknown' || isKicked || admission.role !== 'player') return {};
  const joinTicket = move.tickets.get(admission.participant.seat.entryId);
  return joinTicket === undefined ? {} : { joinTicket, baseGame: move.baseGame };
}
