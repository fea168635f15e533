import { type AuthContext, type Client, CloseCode, Room } from '@colyseus/core';
import { failure } from '@engulf/domain/errors/registry';
import { fromPlainPayload, plainTypeOf } from '@engulf/protocol/room/plain-messages';
import { clientTypeOf, packPayload, serverTypeNumber } from '@engulf/protocol/room/wire-types';
import { hasKnownProtocol } from '@engulf/protocol/version';
import type { Announce } from '../connection.ts';
import { resumeMatch } from '../match/handover.ts';
import { type Match, startMatch } from '../match/match.ts';
import { addressOf, connectionOf, refusal, takeBytesOf } from '../sockets/transport.ts';
import { playAgain } from './play-again.ts';
import type { RoomHost, RoomStart } from './room-host.ts';
import { type RunningRoom, runRoom } from './running-room.ts';
import { receive, resumeVisit, returnSecondsOf, startVisit, suspendVisit } from './visit.ts';
import type { Admission, Visit } from './visit-state.ts';

type ArenaClient = Client<{ userData: Visit; auth: Admission }>;

/** The room type for a host's lobbies. It only adapts Colyseus to a running room. */
export function arenaRoomOf(host: RoomHost) {
  const { clock, meter } = host.deps;
  return class ArenaRoom extends Room<{ client: ArenaClient }> {
    // State is sent as messages, and nothing here uses Colyseus' clock, which this interval drives.
    override patchRate = 60_000;
    override autoDispose = false;
    #match!: Match;
    #room!: RunningRoom;

    override async onCreate(options: unknown): Promise<void> {
      if (!hasKnownProtocol(options)) throw refusal(failure('PROTOCOL_MISMATCH'));
      const claimed = host.claim((options as { lobbyId?: unknown }).lobbyId);
      if (!claimed.ok) throw refusal(claimed.error);
      this.#match = this.#beginMatch(claimed.value);
      this.#room = runRoom(host, this.#match, {
        roomId: this.roomId,
        visits: () => this.clients.flatMap(({ userData }) => userData ?? []),
        disconnect: (closeCode) => this.disconnect(closeCode),
      });
      this.onMessage('*', (client, type, payload) => this.#receive(client as ArenaClient, type, payload));
      host.opened(this.#room);
    }

    override async onAuth(client: Client, options: unknown, context: AuthContext): Promise<Admission> {
      const cookieHeader = context.headers.get('cookie') ?? undefined;
      const admission = await this.#room.admit(options, { cookieHeader, address: addressOf(client) });
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
      this.#room.wake();
    }

    override onDrop(client: ArenaClient): void {
      const visit = client.userData;
      if (!visit) return;
      meter?.connection('dropped');
      const returnSeconds = returnSecondsOf(this.#match, visit);
      suspendVisit(this.#match, visit);
      if (returnSeconds > 0 && !this.#room.isMoving()) this.#awaitReturn(client, returnSeconds);
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
      void this.#room.close(CloseCode.SERVER_SHUTDOWN);
    }

    #beginMatch(start: RoomStart): Match {
      const announce: Announce = (type, payload) => this.#announce(type, payload);
      try {
        return 'state' in start
          ? resumeMatch(host.deps, start, announce)
          : startMatch(host.deps, start, announce);
      } catch (error) {
        host.release(start.lobby.id);
        throw error;
      }
    }

    /** Keeps the place for a while. Colyseus then calls onReconnect or onLeave. */
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
        if (visit.admission.isPlain) {
          const known = plainTypeOf(type);
          receive(this.#match, visit, known, fromPlainPayload(known, payload), this.#playAgain);
        } else receive(this.#match, visit, clientTypeOf(type), payload, this.#playAgain);
      } catch (error) {
        this.#fail(visit, type, error);
      }
    }

    readonly #playAgain = async (visit: Visit, joinTicket: string): Promise<void> => {
      try {
        const seated = await playAgain(this.#match, visit, joinTicket, this.#room.admit);
        if (seated) host.dismissUser(seated.seat.userId);
      } catch (error) {
        this.#fail(visit, 'playAgain', error);
      }
    };

    /** Rethrown, the error would end the process and with it every other lobby. */
    #fail(visit: Visit, type: unknown, error: unknown): void {
      this.#match.logger.error({ code: 'MESSAGE_FAILED', err: error, type }, 'could not handle a message');
      visit.connection.kick('Something went wrong. Please join again.');
    }

    #announce(...[type, payload]: Parameters<Announce>): void {
      const plain = this.clients.filter(({ userData }) => userData?.admission.isPlain);
      this.broadcast(serverTypeNumber(type), packPayload(type, payload), { except: plain });
      for (const { userData } of plain) userData!.connection.send(type, payload);
    }
  };
}
