import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { failure } from '@engulf/domain/errors/registry';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { LOBBY_PARAMETER } from '@engulf/protocol/room/join';
import type { Entrance } from '../game/entrance/entrance.ts';
import { letIn, refuseUpgrade } from '../game/entrance/let-in.ts';
import type { RoomProcess } from './start-room-process.ts';

/** Hands the socket of a client to the room process that runs the lobby in its address. */
export function openGateway(
  server: Server,
  entrance: Entrance,
  takes: (request: IncomingMessage) => boolean = () => true,
) {
  const processes = new Set<RoomProcess>();

  server.on('upgrade', (request, duplex, head) => {
    if (!takes(request) || !letIn(entrance, request)) return;
    const process = processFor(lobbyOf(request));
    if (!process) {
      refuseUpgrade(request, failure('LOBBY_OFFLINE'));
      return;
    }
    const address = entrance.addressOf(request);
    process.take(request, duplex as Socket, head, address, () => entrance.joined(duplex));
  });

  /** If none has the lobby, any of them can say so. It may also be about to take it over. */
  function processFor(lobbyId: string | null): RoomProcess | undefined {
    const all = [...processes];
    return all.find((process) => process.hasLobby(lobbyId as LobbyId)) ?? all[0];
  }

  return {
    add: (process: RoomProcess): void => {
      processes.add(process);
      void process.ended.then(() => processes.delete(process));
    },
  };
}

export type Gateway = ReturnType<typeof openGateway>;

function lobbyOf({ url }: IncomingMessage): string | null {
  return new URL(url!, 'ws://any').searchParams.get(LOBBY_PARAMETER);
}
