import { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createKeyedLimit } from '@engulf/protocol/keyed-limit';
import { createSampledLog } from '../game/entrance/sampled-log.ts';
import { ENTRANCE_LIMITS } from '../game/limits.ts';
import type { GameChat } from '../game/ports.ts';
import { type Game, startRooms } from '../game/room/start-rooms.ts';
import { openRoomSockets, type RoomSockets } from '../game/sockets/accept.ts';
import { systemClock } from '../platform/clock.ts';
import { collectGarbage } from '../platform/collect-garbage.ts';
import { openLog } from '../platform/logs/log.ts';
import { type CallMessage, createCalls } from './calls.ts';
import type { HostMethods, RoomMethods, RoomSettings, SocketMessage, ToRoomProcess } from './contract.ts';
import { TOLD_TO_HOST } from './contract.ts';
import { createReadings } from './readings.ts';
import { watchLife } from './watch-life.ts';

/*
 * A process that runs rooms for its host and has nothing else: no database, no keys, no other address than the sockets
 * that it is handed.
 */

const addresses = new WeakMap<IncomingMessage, string>();
/** By the numbers that the host gave them. */
const sockets = new Map<number, Socket>();
const numbers = new WeakMap<Duplex, number>();
const chatListeners = new Set<Parameters<GameChat['follow']>[0]>();
const readings = createReadings();
let game: Game;
let roomSockets: RoomSockets;

const methods: RoomMethods = {
  start,
  untilOpen: () => game.untilOpen(),
  leave: () => game.leave(),
  close: async () => {
    await game.close();
    roomSockets.close();
  },
  hearChat: (event) => {
    for (const listener of chatListeners) listener(event);
  },
  closeSocket: (id) => sockets.get(id)?.destroy(),
  hearHost: () => watch.hear(),
  collectGarbage,
};
// The host is gone; the end of the channel reports that as well.
const send = (message: CallMessage) => process.send!(message, undefined, undefined, () => {});
const calls = createCalls<HostMethods>(methods, send, TOLD_TO_HOST);
const host = calls.remote;
const watch = watchLife(systemClock, {
  onCheck: () => host.report(readings.take()),
  // Its lobbies may have gone to others by now, and nothing that happens here would count.
  onSilent: () => process.exit(1),
});

process.on('message', (message: ToRoomProcess, handle: unknown) => {
  if (message.kind === 'socket') takeSocket(message, handle as Socket | undefined);
  else calls.receive(message);
});
// Without its host it can settle nothing, and its players are refunded.
process.on('disconnect', () => process.exit());
// A terminal signals all processes at once. The host ends the matches first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});

async function start({ rules, isTesting, limitScale, log }: RoomSettings): Promise<void> {
  const logger = openLog(log);
  const door = {
    clock: systemClock,
    log: createSampledLog(logger.child({ part: 'entrance' }), systemClock),
    addressOf: (request: IncomingMessage) => addresses.get(request)!,
    meter: readings.meter,
    limitScale,
    mayJoin: createKeyedLimit(ENTRANCE_LIMITS.joinsPerAddress, systemClock, limitScale),
    joined: (socket: Duplex) => host.socketJoined(numbers.get(socket)!),
  };
  roomSockets = openRoomSockets(door);
  game = await startRooms({
    ports: host,
    chat: {
      write: host.writeChat,
      whisper: host.whisper,
      readLatest: host.readLatestChat,
      follow: (listener) => {
        chatListeners.add(listener);
        return () => chatListeners.delete(listener);
      },
    },
    clock: systemClock,
    rules,
    logger: logger.child({ part: 'game' }),
    isTesting,
    meter: readings.meter,
  });
  roomSockets.enter = game.enter;
}

/** The client may be gone by the time its socket arrives. */
function takeSocket({ id, address, request, head }: SocketMessage, socket: Socket | undefined): void {
  if (!socket) {
    host.socketClosed(id);
    return;
  }
  readings.watch(socket);
  sockets.set(id, socket);
  numbers.set(socket, id);
  socket.once('close', () => {
    sockets.delete(id);
    host.socketClosed(id);
  });
  socket.on('error', () => socket.destroy());
  const upgrade = Object.assign(new IncomingMessage(socket), request);
  addresses.set(upgrade, address);
  roomSockets.accept(upgrade, socket, head);
}
