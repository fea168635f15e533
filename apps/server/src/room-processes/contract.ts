import type { Rules } from '@engulf/sim/rules';
import type { GameChat, GameChatEvent, GameControl, GameMeter, GamePorts } from '../game/ports.ts';
import type { Config } from '../platform/config/config.ts';
import type { CallMessage } from './calls.ts';

/*
 * What a room process and its host say to each other. The room process runs rooms and holds the sockets of their
 * clients; the database, the keys and everything else are the host's.
 */

export type RoomSettings = {
  readonly rules: Rules;
  readonly isTesting: boolean;
  /** Multiplies the limits per address. */
  readonly limitScale: number;
  readonly log: Pick<Config, 'logLevel' | 'logFile' | 'dataDir' | 'traces'>;
};

/** The calls of the meter since the last report, as the parameters of its functions. */
export type Readings = { readonly [Name in keyof GameMeter]: readonly Parameters<GameMeter[Name]>[] } & {
  readonly bytes: { readonly up: number; readonly down: number };
};

/** What the host does for a room process. */
export type HostMethods = GamePorts & {
  writeChat: GameChat['write'];
  whisper: GameChat['whisper'];
  readLatestChat: GameChat['readLatest'];
  /** Once a second; also serves as a heartbeat. */
  report(readings: Readings): void;
  /** The client of that socket is in its room. */
  socketJoined(id: number): void;
  socketClosed(id: number): void;
};

/** What a room process does for its host. */
export type RoomMethods = GameControl & {
  /** Opens the rooms. */
  start(settings: RoomSettings): Promise<void>;
  hearChat(event: GameChatEvent): void;
  closeSocket(id: number): void;
  /** A heartbeat, every second. */
  hearHost(): void;
  /** The server has become idle. */
  collectGarbage(): void;
};

export const TOLD_TO_HOST = [
  'recordBountyMoves',
  'setLobbyLive',
  'report',
  'socketJoined',
  'socketClosed',
] as const satisfies readonly (keyof HostMethods)[];

export const TOLD_TO_ROOMS = [
  'hearChat',
  'closeSocket',
  'hearHost',
  'collectGarbage',
] as const satisfies readonly (keyof RoomMethods)[];

/** Comes with the socket of a client whose request for a WebSocket the host has let in. */
export type SocketMessage = {
  readonly kind: 'socket';
  readonly id: number;
  readonly address: string;
  readonly request: Pick<import('node:http').IncomingMessage, 'method' | 'url' | 'headers' | 'httpVersion'>;
  readonly head: Uint8Array;
};

export type ToRoomProcess = CallMessage | SocketMessage;
