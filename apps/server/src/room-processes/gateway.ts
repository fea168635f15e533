import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { JoinOptions } from '@engulf/protocol/room/join-options';
import type { Entrance } from '../game/entrance/entrance.ts';
import { letIn, refuseUpgrade } from '../game/entrance/let-in.ts';
import type { LobbyRefusal, SeatReservation } from '../game/ports.ts';
import type { RoomProcess } from './start-room-process.ts';

/** As Colyseus' client builds it. There may be a path before it that a proxy looks at. */
const ROOM_PATH = /\/([\w-]+)\/[\w-]+$/;

/** Leads clients to the room process that runs their lobby. */
export function openGateway(
  server: Server,
  entrance: Entrance,
  takes: (request: IncomingMessage) => boolean = () => true,
) {
  const processes = new Map<string, RoomProcess>();

  server.on('upgrade', (request, duplex, head) => {
    if (!takes(request) || !letIn(entrance, request)) return;
    const name = ROOM_PATH.exec(request.url!.split('?', 1)[0]!)?.[1];
    const process = name === undefined ? undefined : processes.get(name);
    if (!process) {
      refuseUpgrade(request, failure('NOT_FOUND'));
      return;
    }
    const address = entrance.addressOf(request);
    process.take(request, duplex as Socket, head, address, () => entrance.joined(duplex));
  });

  return {
    add: (process: RoomProcess): void => {
      processes.set(process.name, process);
      void process.ended.then(() => processes.delete(process.name));
    },
    /** At most one of them has the room. */
    reserveSeat: async (options: JoinOptions): Promise<Result<SeatReservation, LobbyRefusal>> => {
      const asked = [...processes.values()].map((process) =>
        // One that ends in the meantime has no room.
        process.reserveSeat(options).catch(() => err(failure('LOBBY_OFFLINE'))),
      );
      const reserved = asked.map(async (answer) => ((await answer).ok ? answer : Promise.reject()));
      return Promise.any(reserved).catch(async () => (await asked[0]) ?? err(failure('LOBBY_OFFLINE')));
    },
  };
}

export type Gateway = ReturnType<typeof openGateway>;
