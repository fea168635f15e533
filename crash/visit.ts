import { Client, type Room } from '@colyseus/sdk';
import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { type RoomServerPayload, STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import { sendToRoom, serverTypeNumber, unpackPayload } from '@engulf/protocol/room/wire-types';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { Random } from './random.ts';

/** How somebody leaves who is still alive after a while. */
export type Leaving = 'portal' | 'forfeit' | 'drop';

/** For measurements. Watched clients lose their connection now and then, and reconnect. */
export type VisitWatch = {
  joined(tookMs: number): void;
  /** Returns what to call with every update of one client. */
  updates(): () => void;
  dropped(): void;
  reconnected(): void;
};

type VisitOptions = {
  readonly leaving: Leaving;
  readonly maxMs: number;
  readonly random: Random;
  readonly watch?: VisitWatch | undefined;
  /** The arena is seen. */
  readonly onShown?: () => void;
};

const STEER_MS = 60;
const LOSE_CONNECTION = 0.002;

/** How a visit ends when the match continues in another process: its address, if the room announced it. */
export type Moved = RoomServerPayload<'matchMoved'>;

/** Plays with a ticket until the game is over, the match moves, the server dies or the time is up. */
export async function visit(
  url: string,
  lobbyId: string,
  joinTicket: string,
  { leaving, maxMs, random, watch, onShown }: VisitOptions,
): Promise<string | Moved> {
  const options = { type: 'player', lobbyId, joinTicket, protocolVersion: PROTOCOL_VERSION };
  const askedMs = performance.now();
  const room: Room = await new Client(url).joinOrCreate(ROOM_NAME, options);
  watch?.joined(performance.now() - askedMs);
  const onUpdate = watch?.updates();
  let isPlaying = true;
  if (watch) {
    Object.assign(room.reconnection, { minUptime: 0, delay: 250, maxDelay: 1_500, maxRetries: 12 });
    room.onDrop(() => isPlaying && watch.dropped());
    room.onReconnect(() => watch.reconnected());
  } else room.reconnection.enabled = false;
  const decoder = createArenaDecoder();
  let isShown = false;
  const onState = (bytes: Uint8Array) => {
    if (!isShown) onShown?.();
    isShown = true;
    onUpdate?.();
    if (decodeUpdate(decoder, bytes) === 'needsFull') sendToRoom(room, 'fullUpdate');
  };
  const ended = new Promise<string | Moved>((resolve) => {
    room.onMessage(serverTypeNumber(STATE_MESSAGES.player.full), onState);
    room.onMessage(serverTypeNumber(STATE_MESSAGES.player.delta), onState);
    room.onMessage(serverTypeNumber('gameOver'), (packed) =>
      resolve(unpackPayload('gameOver', packed)?.cause ?? 'unreadable'),
    );
    room.onMessage(serverTypeNumber('matchMoved'), (packed) =>
      resolve(unpackPayload('matchMoved', packed) ?? {}),
    );
    room.onMessage('*', () => {});
    room.onLeave((code) => resolve(`closed ${code}`));
    room.onError(() => {});
    setTimeout(() => resolve('time is up'), maxMs);
  });
  sendToRoom(room, 'spawn', { name: 'crash', screenWidth: 1920, screenHeight: 1080 });
  const wander = { x: random.between(200, 1_200), y: random.between(200, 1_200) };
  const steering = setInterval(() => {
    const { primary, portals, bodies } = decoder.view;
    if (!primary || !room.connection.isOpen) return;
    const portal = leaving === 'portal' ? portals.find(({ state }) => state === 'active') : undefined;
    const prey = bodies.find((body) => body.kind === 'cell' && body.mass * 1.35 < primary.mass);
    const target = portal ?? prey ?? wander;
    sendToRoom(room, 'movement', {
      x: Math.round(target.x - primary.x),
      y: Math.round(target.y - primary.y),
      seq: 0,
    });
    if (random.chance(0.02))
      Object.assign(wander, { x: random.between(200, 1_200), y: random.between(200, 1_200) });
    if (random.chance(0.01)) sendToRoom(room, 'split', { seq: 0 });
    if (watch && random.chance(LOSE_CONNECTION)) loseConnection(room);
  }, STEER_MS);
  const outcome = await ended;
  clearInterval(steering);
  isPlaying = false;
  room.reconnection.enabled = false;
  if (room.connection.isOpen) {
    if (leaving === 'drop') loseConnection(room);
    else void room.leave(true).catch(() => undefined);
  }
  return outcome;
}

function loseConnection(room: Room): void {
  (room.connection.transport as unknown as { close(): void }).close();
}
