import { type AuthContext, type Client, CloseCode, Room } from '@colyseus/core';
import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { hasCurrentProtocol } from '@engulf/protocol/version';
import { ROOM_LIMITS } from '../limits.ts';
import { endMatch } from '../match/ending.ts';
import { type Match, type MatchStart, startMatch } from '../match/match.ts';
import { stepMatch } from '../match/step.ts';
import { startTicker } from '../match/ticker.ts';
import type { GameDeps, LobbyRefusal } from '../ports.ts';
import { connectionOf, refusal } from './transport.ts';
import {
  type Admission,
  admit,
  mayResume,
  receive,
  recheckVisit,
  resumeVisit,
  startVisit,
  suspendVisit,
  type Visit,
} from './visit.ts';

/** What a room needs from whoever decides which lobbies have one. */
export type RoomHost = {
  readonly deps: GameDeps;
  /** Grants the only room of a lobby, if the lobby is open and has none. */
  claim(lobbyId: unknown): Result<MatchStart, LobbyRefusal>;
  opened(roomId: string, match: Match, close: (closeCode: number) => Promise<void>): void;
  release(lobbyId: LobbyId): void;
  /** Takes one of the tries that a user has at lobby codes. */
  mayTryCode(userId: UserId): boolean;
  /** Closes what the user has left open after earlier games, in all rooms. */
  dismissUser(userId: UserId): void;
};

type ArenaClient = Client<{ userData: Visit; auth: Admission }>;

/** The room type for a host's lobbies. It only adapts Colyseus to a match. */
export function arenaRoomOf(host: RoomHost) {
  const { clock, rules } = host.deps;
  return class ArenaRoom extends Room<{ client: ArenaClient }> {
    // State is sent as messages; this interval only drives the room's own clock.
    override patchRate = 1_000;
    override autoDispose = false;
    #match!: Match;
    #stopTicker = () => {};
    #cancelRecheck = () => {};
    #closed: Promise<void> | undefined;

    override async onCreate(options: unknown): Promise<void> {
      if (!hasCurrentProtocol(options)) throw refusal(failure('PROTOCOL_MISMATCH'));
      const claimed = host.claim((options as { lobbyId?: unknown }).lobbyId);
      if (!claimed.ok) throw refusal(claimed.error);
      try {
        this.#match = startMatch(host.deps, claimed.value, (type, payload) => this.broadcast(type, payload));
      } catch (error) {
        host.release(claimed.value.lobby.id);
        throw error;
      }
      host.opened(this.roomId, this.#match, (closeCode) => this.#close(closeCode));
      this.onMessage('*', (client, type, payload) => this.#receive(client as ArenaClient, type, payload));
      this.#stopTicker = startTicker(clock, rules.stepsPerSecond, () => this.#tick());
      this.#scheduleRecheck();
    }

    override async onAuth(_client: Client, options: unknown, context: AuthContext): Promise<Admission> {
      const cookie = context.headers.get('cookie') ?? undefined;
      const admission = await this.#admit(options, cookie);
      if (!admission.ok) throw refusal(admission.error);
      if (admission.value.role === 'player') host.dismissUser(admission.value.participant.seat.userId);
      return admission.value;
    }

    override onJoin(client: ArenaClient, _options: unknown, admission: Admission): void {
      const visit = startVisit(this.#match, admission, connectionOf(client));
      if (!visit.ok) throw refusal(visit.error);
      client.userData = visit.value;
    }

    override onDrop(client: ArenaClient): void {
      const visit = client.userData;
      if (!visit) return;
      const canReturn = mayResume(visit);
      suspendVisit(this.#match, visit);
      if (canReturn) this.#awaitReturn(client);
    }

    override onReconnect(client: ArenaClient): void {
      if (!client.userData) return;
      const resumed = resumeVisit(this.#match, client.userData, connectionOf(client));
      if (!resumed.ok) throw refusal(resumed.error);
    }

    override onLeave(client: ArenaClient): void {
      if (client.userData) suspendVisit(this.#match, client.userData);
    }

    override onBeforeShutdown(): void {
      void this.#close(CloseCode.SERVER_SHUTDOWN);
    }

    /** What went wrong inside is for the log; the client gets a code. */
    async #admit(options: unknown, cookie: string | undefined): Promise<Result<Admission, Failure>> {
      try {
        return await admit(this.#match, options, cookie, host.mayTryCode);
      } catch (error) {
        this.#match.logger.error({ err: error }, 'could not admit a client');
        return err(failure('INTERNAL_ERROR'));
      }
    }

    /** Keeps the place for as long as the cells stay; then onReconnect or onLeave is called. */
    #awaitReturn(client: ArenaClient): void {
      const reconnection = this.allowReconnection(client, 'manual');
      const cancel = clock.setTimer(rules.departure.graceSeconds * 1000, () => reconnection.reject(false));
      reconnection.then(cancel, cancel);
    }

    #receive(client: ArenaClient, type: unknown, payload: unknown): void {
      const visit = client.userData;
      if (!visit) return;
      try {
        receive(this.#match, visit, type, payload);
      } catch (error) {
        // If it were thrown on, it would end the process, and with it every other lobby.
        this.#match.logger.error({ err: error, type }, 'could not handle a message');
        visit.connection.kick('Something went wrong. Please join again.');
      }
    }

    #scheduleRecheck(): void {
      this.#cancelRecheck = clock.setTimer(ROOM_LIMITS.spectatorCheckMs, () => {
        for (const { userData } of this.clients) if (userData) void recheckVisit(this.#match, userData);
        this.#scheduleRecheck();
      });
    }

    #tick(): void {
      stepMatch(this.#match);
      if (this.#match.ending.settled) void this.#close(CloseCode.CONSENTED);
    }

    /** Ends the match if it still runs, waits until its results are settled, and closes the room. */
    #close(closeCode: number): Promise<void> {
      this.#closed ??= this.#settleAndDisconnect(closeCode);
      return this.#closed;
    }

    async #settleAndDisconnect(closeCode: number): Promise<void> {
      const { ending, lobby } = this.#match;
      this.#stopTicker();
      this.#cancelRecheck();
      if (!ending.settled) endMatch(this.#match, 'closed');
      await ending.settled;
      await this.disconnect(closeCode);
      host.release(lobby.id);
    }
  };
}
