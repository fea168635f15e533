import { fork } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Clock, GameChat, GameControl, GameMeter, GamePorts } from '../game/ports.ts';
import { type CallMessage, createCalls } from './calls.ts';
import {
  type HostMethods,
  type Readings,
  type RoomMethods,
  type RoomSettings,
  type SocketMessage,
  TOLD_TO_ROOMS,
  type ToRoomProcess,
} from './contract.ts';
import { forOwnVisitors } from './own-visitors.ts';
import { watchLife } from './watch-life.ts';

export type RoomProcess = GameControl & {
  readonly pid: number;
  /** Whether it runs the room of that lobby, or is about to. */
  hasLobby(lobbyId: LobbyId): boolean;
  /** Hands a socket over. When it is closed here or there, it closes on the other side too. */
  take(
    request: IncomingMessage,
    socket: Socket,
    head: Uint8Array,
    address: string,
    onJoined: () => void,
  ): void;
  collectGarbage(): void;
  /** Ends it at once, as a crash would. */
  kill(): void;
  /** Resolves when the process is gone, to the reason. */
  readonly ended: Promise<string>;
};

export type RoomProcessDeps = {
  readonly ports: GamePorts;
  readonly chat: GameChat;
  readonly meter?: GameMeter | undefined;
  onBytes?(up: number, down: number): void;
  readonly clock: Clock;
};

/** Strangers talk to a room process, so it gets none of the secrets that are in the environment. */
const PASSED_ON = [
  'PATH',
  'TZ',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'MALLOC_ARENA_MAX',
  'MALLOC_TRIM_THRESHOLD_',
  'MALLOC_MMAP_THRESHOLD_',
];

/** Resolves when its rooms begin to open. Rejects if it ends before. */
export async function startRoomProcess(deps: RoomProcessDeps, settings: RoomSettings): Promise<RoomProcess> {
  const { clock } = deps;
  const { ports, chat, lobbies } = forOwnVisitors(deps.ports, deps.chat);
  const child = fork(new URL('./room-process.ts', import.meta.url), [], {
    serialization: 'advanced',
    env: Object.fromEntries(
      PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    ),
  });
  const sockets = new Map<number, { readonly socket: Socket; onJoined(): void }>();
  let lastSocket = 0;

  const closeSocket = (id: number): void => {
    const taken = sockets.get(id);
    sockets.delete(id);
    taken?.socket.destroy();
  };
  const own: HostMethods = {
    ...ports,
    writeChat: chat.write,
    whisper: chat.whisper,
    readLatestChat: chat.readLatest,
    report: (readings) => pass(readings, deps),
    socketJoined: (id) => sockets.get(id)?.onJoined(),
    socketClosed: closeSocket,
  };
  let reason: string | undefined;
  const kill = (why: string): void => {
    reason ??= why;
    child.kill('SIGKILL');
  };
  const send = (message: ToRoomProcess, socket?: Socket, onFailed = () => {}): void => {
    child.send(message, socket, undefined, (error) => error && onFailed());
  };
  const calls = createCalls<RoomMethods>(own, send, TOLD_TO_ROOMS);
  const rooms = calls.remote;
  child.on('message', (message: CallMessage) => {
    watch.hear();
    try {
      calls.receive(message);
    } catch {
      // Our room processes never send this, so it may be compromised.
      kill('it made no sense');
    }
  });
  const stopChat = chat.follow(rooms.hearChat);
  const watch = watchLife(clock, { onCheck: rooms.hearHost, onSilent: () => kill('it was silent') });
  const ended = new Promise<string>((resolve) => {
    const end = (why: string) => {
      stopChat();
      watch.cancel();
      calls.lose(new Error('The room process is gone'));
      for (const id of [...sockets.keys()]) closeSocket(id);
      resolve(reason ?? why);
    };
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    child.once('error', ({ message }) => end(message));
  });

  await rooms.start(settings).catch(async (error: unknown) => {
    kill('it did not start');
    await ended;
    throw error;
  });
  return {
    pid: child.pid!,
    hasLobby: (lobbyId) => lobbies.has(lobbyId),
    untilOpen: rooms.untilOpen,
    leave: rooms.leave,
    close: async () => {
      await rooms.close();
      child.disconnect();
      await ended;
    },
    take: ({ method, url, headers, httpVersion }, socket, head, address, onJoined) => {
      const id = ++lastSocket;
      sockets.set(id, { socket, onJoined });
      socket.once('close', () => {
        if (sockets.delete(id)) rooms.closeSocket(id);
      });
      // Otherwise the server would, on closing, wait for every process that it has handed a socket to, dead ones included.
      Object.assign(socket, { server: null });
      const message: SocketMessage = {
        kind: 'socket',
        id,
        address,
        request: { method, url, headers, httpVersion },
        head,
      };
      send(message, socket, () => closeSocket(id));
    },
    collectGarbage: rooms.collectGarbage,
    kill: () => kill('we ended it'),
    ended,
  };
}

function pass(readings: Readings, { meter, onBytes }: RoomProcessDeps): void {
  for (const parameters of readings.tick) meter?.tick(...parameters);
  for (const parameters of readings.room) meter?.room(...parameters);
  for (const parameters of readings.connection) meter?.connection(...parameters);
  for (const parameters of readings.refused) meter?.refused(...parameters);
  onBytes?.(readings.bytes.up, readings.bytes.down);
}
