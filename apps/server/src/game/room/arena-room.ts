import { type AuthContext, type Client, CloseCode, Room } from '@colyseus/core';
import { failure } from '@engulf/domain/errors/registry';
import { hasCurrentProtocol } from '@engulf/protocol/version';
import { publishLive } from '../board/lobby-live.ts';
import { type Match, startMatch } from '../match/match.ts';
import { endMatch, stepMatch } from '../match/match-step.ts';
import { startTicker } from '../match/ticker.ts';
import { admit } from './admission.ts';
import { connectionOf } from './connection.ts';
import { refusal } from './refusal.ts';
import type { RoomHost } from './room-host.ts';
import { ROOM_LIMITS } from './room-limits.ts';
import {
  type Admission,
  mayResume,
  openSession,
  receive,
  resumeSession,
  type Session,
  suspendSession,
} from './session.ts';

type ArenaClient = Client<{ userData: Session; auth: Admission }>;

/** The room type that serves the lobbies of a host. It only adapts Colyseus to a match. */
export function arenaRoomOf(host: RoomHost) {
  return class ArenaRoom extends Room<{ client: ArenaClient }> {
    // The state goes out as messages; this interval only keeps the room's clock.
    override patchRate = 1_000;
    override autoDispose = false;
    override maxMessagesPerSecond = ROOM_LIMITS.maxFramesPerSecond;
    #match!: Match;
    #stopTicker = () => {};
    #ended: Promise<void> | undefined;

    override async onCreate(options: unknown): Promise<void> {
      if (!hasCurrentProtocol(options)) throw refusal(failure('PROTOCOL_MISMATCH'));
      const claimed = host.claim((options as { lobbyId?: unknown }).lobbyId);
      if (!claimed.ok) throw refusal(claimed.error);
      const lobby = claimed.value;
      try {
        const spill = await host.deps.ports.readSpill(lobby.id);
        this.#match = startMatch(host.deps, lobby, spill, (type, payload) => this.broadcast(type, payload));
      } catch (error) {
        host.release(lobby.id);
        throw error;
      }
      publishLive(this.#match);
      host.opened(this.#match, (closeCode) => this.#end(closeCode));
      this.onMessage('*', (client, type, payload) => this.#receive(client as ArenaClient, type, payload));
      this.#stopTicker = startTicker(host.deps.rules.stepsPerSecond, () => this.#tick());
    }

    override async onAuth(_client: Client, options: unknown, context: AuthContext): Promise<Admission> {
      const admission = await admit(this.#match, options, context.headers.get('cookie') ?? undefined);
      if (!admission.ok) throw refusal(admission.error);
      return admission.value;
    }

    override onJoin(client: ArenaClient, _options: unknown, admission: Admission): void {
      const session = openSession(this.#match, admission, connectionOf(client));
      if (!session.ok) throw refusal(session.error);
      client.userData = session.value;
    }

    override onDrop(client: ArenaClient): void {
      const session = client.userData;
      if (!session) return;
      const isAwaited = mayResume(session);
      suspendSession(this.#match, session);
      if (isAwaited) {
        // The body waits as long as the seat does; whether its player comes back, onReconnect or onLeave tells.
        this.allowReconnection(client, host.deps.rules.departure.graceSeconds).catch(() => {});
      }
    }

    override onReconnect(client: ArenaClient): void {
      if (!client.userData) return;
      const resumed = resumeSession(this.#match, client.userData, connectionOf(client));
      if (!resumed.ok) throw refusal(resumed.error);
    }

    override onLeave(client: ArenaClient): void {
      if (client.userData) suspendSession(this.#match, client.userData);
    }

    override onBeforeShutdown(): void {
      void this.#end(CloseCode.SERVER_SHUTDOWN);
    }

    #receive(client: ArenaClient, type: unknown, payload: unknown): void {
      const session = client.userData;
      if (!session) return;
      try {
        receive(this.#match, session, type, payload);
      } catch (error) {
        // Thrown on, it would end the process, and with it every other lobby.
        this.#match.logger.error({ err: error, type }, 'a message could not be handled');
        session.connection.kick('Something went wrong. Please join again.');
      }
    }

    #tick(): void {
      stepMatch(this.#match);
      if (this.#match.finished) void this.#end(CloseCode.CONSENTED);
    }

    /** Ends the match if it still runs, waits until all is settled and saved, and closes the room. */
    #end(closeCode: number): Promise<void> {
      this.#ended ??= this.#windUp(closeCode);
      return this.#ended;
    }

    async #windUp(closeCode: number): Promise<void> {
      this.#stopTicker();
      if (!this.#match.finished) endMatch(this.#match, 'closed');
      await this.#match.finished;
      await this.disconnect(closeCode);
      host.release(this.#match.lobby.id);
    }
  };
}
