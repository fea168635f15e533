import { CloseCode } from '@colyseus/core';
import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { ROOM_LIMITS } from '../limits.ts';
import { endMatch } from '../match/ending.ts';
import { awaitsReturn, packMatch } from '../match/handover.ts';
import { type Match, publishLive } from '../match/match.ts';
import { allResultsSettled } from '../match/results.ts';
import { isAsleep } from '../match/sleeping.ts';
import { stepMatch } from '../match/step.ts';
import { startTicker } from '../match/ticker.ts';
import type { MatchMove } from '../ports.ts';
import { flushAll } from '../sockets/outbox.ts';
import { sendStillViews } from '../views/views.ts';
import { pause } from './pause.ts';
import { expelUser, followChat } from './room-chat.ts';
import type { OpenRoom, RoomHost } from './room-host.ts';
import { admit, recheckVisit } from './visit.ts';
import type { Admission, Visit, Visitor } from './visit-state.ts';

/** A match that ticks in its room, until it is closed or has moved to another process. */
export type RunningRoom = OpenRoom & {
  /** Internal errors are logged; the client only gets a code. */
  admit(options: unknown, visitor: Visitor): Promise<Result<Admission, Failure>>;
  /** Ends the pause of an empty room. */
  wake(): void;
  /** The match is on its way to another process. */
  isMoving(): boolean;
};

/** The people in a room, whatever connects them. */
type People = {
  readonly roomId: string;
  visits(): Visit[];
  /** Resolves when all have left. */
  disconnect(closeCode: number): Promise<unknown>;
};

const ARRIVAL_CHECK_MS = 20;

export function runRoom(host: RoomHost, match: Match, people: People): RunningRoom {
  const { clock, rules, ports } = host.deps;
  /** People who are being let in. */
  let arriving = 0;
  let isMoving = false;
  let closed: Promise<void> | undefined;
  let ticker = startTicking();
  let cancelRecheck = scheduleRecheck();
  const stopChat = followChat(match, people.visits);

  return {
    roomId: people.roomId,
    match,
    admit: admitVisitor,
    expel: (userId, reason) => expelUser(match, userId, people.visits(), reason),
    wake: () => ticker.wake(),
    isMoving: () => isMoving,
    moveAway,
    close,
  };

  async function admitVisitor(options: unknown, visitor: Visitor): Promise<Result<Admission, Failure>> {
    if (isMoving || closed) return err(failure('LOBBY_OFFLINE'));
    arriving++;
    try {
      return await admit(match, options, visitor);
    } catch (error) {
      match.logger.error({ code: 'ADMISSION_FAILED', err: error }, 'could not admit a client');
      return err(failure('INTERNAL_ERROR'));
    } finally {
      arriving--;
    }
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
    if (match.ending.settled) void close(CloseCode.CONSENTED);
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
    for (const visit of people.visits()) visit.connection.send('matchMoved', wayOf(visit, move));
    host.forget(match.lobby.id, people.disconnect(CloseCode.CONSENTED));
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
function wayOf({ admission, isKicked }: Visit, move: MatchMove): RoomServerPayload<'matchMoved'> {
  if (move === 'unknown' || isKicked || admission.role !== 'player') return {};
  const joinTicket = move.tickets.get(admission.participant.seat.entryId);
  return joinTicket === undefined ? {} : { joinTicket, baseGame: move.baseGame };
}
