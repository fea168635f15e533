import { Client, type Room } from '@colyseus/sdk';
import { createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { Random } from './random.ts';

/** How somebody leaves who is still alive after a while. */
export type Leaving = 'portal' | 'forfeit' | 'drop';

const STEER_MS = 60;

/** Plays with a ticket until the game is over, the server dies or the time is up. */
export async function visit(
  url: string,
  lobbyId: string,
  joinTicket: string,
  { leaving, maxMs, random }: { leaving: Leaving; maxMs: number; random: Random },
): Promise<string> {
  const options = { type: 'player', lobbyId, joinTicket, protocolVersion: PROTOCOL_VERSION };
  const room: Room = await new Client(url).joinOrCreate(ROOM_NAME, options);
  room.reconnection.enabled = false;
  const decoder = createArenaDecoder();
  const onState = (bytes: Uint8Array) => {
    if (decodeUpdate(decoder, bytes) === 'needsFull') room.send('fullUpdate');
  };
  const ended = new Promise<string>((resolve) => {
    room.onMessage(STATE_MESSAGES.player.full, onState);
    room.onMessage(STATE_MESSAGES.player.delta, onState);
    room.onMessage('gameOver', ({ cause }: { cause: string }) => resolve(cause));
    room.onMessage('*', () => {});
    room.onLeave((code) => resolve(`closed ${code}`));
    room.onError(() => {});
    setTimeout(() => resolve('time is up'), maxMs);
  });
  room.send('spawn', { name: 'crash', screenWidth: 1920, screenHeight: 1080 });
  const wander = { x: random.between(200, 1_200), y: random.between(200, 1_200) };
  const steering = setInterval(() => {
    const { primary, portals, bodies } = decoder.view;
    if (!primary || !room.connection.isOpen) return;
    const portal = leaving === 'portal' ? portals.find(({ state }) => state === 'active') : undefined;
    const prey = bodies.find((body) => body.kind === 'cell' && body.mass * 1.35 < primary.mass);
    const target = portal ?? prey ?? wander;
    room.send('movement', {
      x: Math.round(target.x - primary.x),
      y: Math.round(target.y - primary.y),
      seq: 0,
    });
    if (random.chance(0.02))
      Object.assign(wander, { x: random.between(200, 1_200), y: random.between(200, 1_200) });
    if (random.chance(0.01)) room.send('split', { seq: 0 });
  }, STEER_MS);
  const outcome = await ended;
  clearInterval(steering);
  if (room.connection.isOpen) {
    if (leaving === 'drop') (room.connection.transport as unknown as { close(): void }).close();
    else void room.leave(true).catch(() => undefined);
  }
  return outcome;
}
