import { type AuthContext, type Client, CloseCode, Room } from '@colyseus/core';
import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { fromPlainPayload } from '@engulf/protocol/room/plain-messages';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { clientTypeOf, packPayload, serverTypeNumber } from '@engulf/protocol/room/wire-types';
import { hasKnownProtocol } from '@engulf/protocol/version';
import type { Announce } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import { endMatch } from '../match/ending.ts';
import { awaitsReturn, packMatch, resumeMatch } from '../match/handover.ts';
import { type Match, type NewMatch, publishLive, startMatch } from '../match/match.ts';
import { allResultsSettled } from '../match/results.ts';
import { isAsleep } from '../match/sleeping.ts';
import { stepMatch } from '../match/step.ts';
import { startTicker, type Ticker } from '../match/ticker.ts';
import type { ArrivingMatch, GameDeps, LobbyRefusal, MatchMove } from '../ports.ts';
import { addressOf, connectionOf, refusal, takeBytesOf } from '../sockets/transport.ts';
import { sendStillViews } from '../views/views.ts';
import { expelUser, followChat } from './room-chat.ts';
import {
  admit,
  receive,
  recheckVisit,
  resumeVisit,
  returnSecondsOf,
  startVisit,
  suspendVisit,
} from './visit.ts';
import type { Admission, Visit, Visitor } from './visit-state.ts';

/** What a room begins with. */
export type RoomStart = NewMatch | ArrivingMatch;

/** An open room, as its host knows it. */
export type OpenRoom = {
  readonly roomId: string;
  readonly match: Match;
  /** Ends the match if it still runs. Resolves when the room is closed. */
  close(closeCode: number): Promise<void>;
  /** Throws the user out, as if it had left. */
  expel(userId: UserId, reason: string): void;
  /** Gives the match to another process. False if none took it: then the match goes on. */
  moveAway(): Promise<boolean>;
};

/** What a room needs from whoever decides which lobbies have one. */
export type RoomHost = {
  readonly deps: GameDeps;
  /** Grants the only room of a lobby, if the lobby is open and has none. */
  claim(lobbyId: unknown): Result<RoomStart, LobbyRefusal>;
  opened(room: OpenRoom): void;
  /** The room is closed. */
  release(lobbyId: LobbyId): void;
  /** The room's match goes on in another process. `emptied` resolves when all its people have left. */
  forget(lobbyId: LobbyId, emptied: Promise<unknown>): void;
  /** Closes what the user has left open after earlier games, in all rooms. */
  dismissUser(userId: UserId): void;
};

type ArenaClient = Client<{ userData: Visit; auth: Admission }>;

/** The room type for a host's lobbies. It only adapts Colyseus to a match. */
export function arenaRoomOf(host: RoomHost) {
  const { clock, rules, meter } = host.deps;
  return class ArenaRoom extends Room<{ client: ArenaClient }> {
    // State is sent as messages, and nothing here uses Colyseus' clock, which this interval drives.
    override patchRate = 60_000;
    override autoDispose = false;
    #match!: Match;
    #ticker: Ticker | undefined;
    #cancelRecheck = () => {};
    #stopChat = () => {};
    #closed: Promise<void> | undefined;
    /** People who are being let in. */
    #arriving = 0;
    /** The match is on its way to another process. */
    #isMoving = false;

    override async onCreate(options: unknown): Promise<void> {
      if (!hasKnownProtocol(options)) throw refusal(failure('PROTOCOL_MISMATCH'));
      const claimed = host.claim((options as { lobbyId?: unknown }).lobbyId);
      if (!claimed.ok) throw refusal(claimed.error);
      try {
        const announce: Announce = (type, payload) => this.#announce(type, payload);
        const start = claimed.value;
        this.#match =
          'state' in start ? resumeMatch(host.deps, start, announce) : startMatch(host.deps, start, announce);
      } catch (error) {
        host.release(claimed.value.lobby.id);
        throw error;
      }
      host.opened({
        roomId: this.roomId,
        match: this.#match,
        close: (closeCode) => this.#close(closeCode),
        expel: (userId, reason) => expelUser(this.#match, userId, this.#visits(), reason),
        moveAway: () => this.#moveAway(),
      });
      this.onMessage('*', (client, type, payload) => this.#receive(client as ArenaClient, type, payload));
      this.#startTicking();
      this.#scheduleRecheck();
      this.#stopChat = followChat(this.#match, () => this.#visits());
    }

    override async onAuth(client: Client, options: unknown, context: AuthContext): Promise<Admission> {
      const cookieHeader = context.headers.get('cookie') ?? undefined;
      const admission = await this.#admit(options, { cookieHeader, address: addressOf(client) });
      if (!admission.ok) {
        meter?.refused('join', admission.error.code);
        throw refusal(admission.error);
      }
      const { value } = admission;
      if (value.role === 'player') host.dismissUser(value.participant.seat.userId);
      return value;
    }

    override onJoin(client: ArenaClient, _options: unknown, admission: Admission): void {
      const visit = startVisit(this.#match, admission, connectionOf(client, admission));
      if (!visit.ok) throw refusal(visit.error);
      client.userData = visit.value;
      this.#takeBytes(client);
      meter?.connection('joined');
      this.#ticker?.wake();
    }

    override onDrop(client: ArenaClient): void {
      const visit = client.userData;
      if (!visit) return;
      meter?.connection('dropped');
      const returnSeconds = returnSecondsOf(this.#match, visit);
      suspendVisit(this.#match, visit);
      if (returnSeconds > 0 && !this.#isMoving) this.#awaitReturn(client, returnSeconds);
    }

    override onReconnect(client: ArenaClient): void {
      if (!client.userData) return;
      const connection = connectionOf(client, client.userData.admission);
      const resumed = resumeVisit(this.#match, client.userData, connection);
      if (!resumed.ok) throw refusal(resumed.error);
      this.#takeBytes(client);
      meter?.connection('reconnected');
    }

    override onLeave(client: ArenaClient): void {
      if (client.userData) suspendVisit(this.#match, client.userData);
    }

    override onBeforeShutdown(): void {
      void this.#close(CloseCode.SERVER_SHUTDOWN);
    }

    /** What went wrong inside is for the log; the client gets a code. */
    async #admit(options: unknown, visitor: Visitor): Promise<Result<Admission, Failure>> {
      if (this.#isMoving || this.#closed) return err(failure('LOBBY_OFFLINE'));
      this.#arriving++;
      try {
        return await admit(this.#match, options, visitor);
      } catch (error) {
        this.#match.logger.error({ code: 'ADMISSION_FAILED', err: error }, 'could not admit a client');
        return err(failure('INTERNAL_ERROR'));
      } finally {
        this.#arriving--;
      }
    }

    /** Keeps the place for a while; then onReconnect or onLeave is called. */
    #awaitReturn(client: ArenaClient, seconds: number): void {
      const reconnection = this.allowReconnection(client, 'manual');
      const cancel = clock.setTimer(seconds * 1000, () => reconnection.reject(false));
      reconnection.then(cancel, cancel);
    }

    #takeBytes(client: ArenaClient): void {
      takeBytesOf(client, (type, bytes) => this.#receive(client, type, bytes));
    }

    #receive(client: ArenaClient, type: unknown, payload: unknown): void {
      const visit = client.userData;
      if (!visit) return;
      try {
        if (visit.admission.isPlain)
          receive(this.#match, visit, type, fromPlainPayload(String(type), payload));
        else receive(this.#match, visit, clientTypeOf(type), payload);
      } catch (error) {
        // If it were thrown on, it would end the process, and with it every other lobby.
        this.#match.logger.error({ code: 'MESSAGE_FAILED', err: error, type }, 'could not handle a message');
        visit.connection.kick('Something went wrong. Please join again.');
      }
    }

    #announce(...[type, payload]: Parameters<Announce>): void {
      const plain = this.clients.filter(({ userData }) => userData?.admission.isPlain);
      this.broadcast(serverTypeNumber(type), packPayload(type, payload), { except: plain });
      for (const { userData } of plain) userData!.connection.send(type, payload);
    }

    #visits(): Visit[] {
      return this.clients.flatMap(({ userData }) => userData ?? []);
    }

    #scheduleRecheck(): void {
      this.#cancelRecheck = clock.setTimer(ROOM_LIMITS.spectatorCheckMs, () => {
        for (const visit of this.#visits()) void recheckVisit(this.#match, visit);
        this.#scheduleRecheck();
      });
    }

    #startTicking(): void {
      this.#ticker = startTicker(clock, rules.stepsPerSecond, (lateMs) => this.#tick(lateMs));
    }

    #tick(lateMs: number): 'asleep' | undefined {
      if (awaitsReturn(this.#match)) {
        sendStillViews(this.#match.views, this.#match.logger);
        return undefined;
      }
      if (isAsleep(this.#match)) {
        publishLive(this.#match);
        return 'asleep';
      }
      stepMatch(this.#match, lateMs);
      if (this.#match.ending.settled) void this.#close(CloseCode.CONSENTED);
      return undefined;
    }

    async #moveAway(): Promise<boolean> {
      if (this.#isMoving || this.#closed) return false;
      this.#isMoving = true;
      this.#ticker?.stop();
      const move = await this.#handOver().catch((error: unknown) => {
        this.#match.logger.error({ code: 'MATCH_NOT_MOVED', err: error }, 'a match could not be handed over');
        return undefined;
      });
      if (!move) {
        this.#isMoving = false;
        if (!this.#closed) this.#startTicking();
        return false;
      }
      this.#cancelRecheck();
      this.#stopChat();
      for (const visit of this.#visits()) visit.connection.send('matchMoved', wayOf(visit, move));
      host.forget(this.#match.lobby.id, this.disconnect(CloseCode.CONSENTED));
      return true;
    }

    async #handOver(): Promise<MatchMove | undefined> {
      await this.#untilNobodyArrives();
      const leaving = await packMatch(this.#match);
      return leaving && host.deps.ports.handOver(leaving);
    }

    /** After it, whoever has traded a ticket is in the match, or will never be. */
    async #untilNobodyArrives(): Promise<void> {
      while (this.#arriving > 0) await new Promise<void>((resolve) => clock.setTimer(20, resolve));
    }

    /** Ends the match if it still runs, waits until its results are settled, and closes the room. */
    #close(closeCode: number): Promise<void> {
      this.#closed ??= this.#settleAndDisconnect(closeCode);
      return this.#closed;
    }

    async #settleAndDisconnect(closeCode: number): Promise<void> {
      const { ending, lobby } = this.#match;
      this.#ticker?.stop();
      this.#cancelRecheck();
      this.#stopChat();
      if (!ending.settled) endMatch(this.#match, 'closed');
      await ending.settled;
      // Without the lease, whoever is being let in could neither play nor be refunded here.
      await this.#untilNobodyArrives();
      await allResultsSettled(this.#match.results);
      await this.disconnect(closeCode);
      host.release(lobby.id);
    }
  };
}

/** How a visitor gets to where the match went. Whoever is not told asks for it. */
function wayOf({ admission, isKicked }: Visit, move: MatchMove): RoomServerPayload<'matchMoved'> {
  if (move === 'unknown' || isKicked || admission.role !== 'player') return {};
  const joinTicket = move.tickets.get(admission.participant.seat.entryId);
  return joinTicket === undefined ? {} : { joinTicket, baseGame: move.baseGame };
}
