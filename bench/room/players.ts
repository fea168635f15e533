import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Room } from '@colyseus/sdk';
import { createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { STATE_MESSAGES } from '@engulf/protocol/room/server-messages';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { standardRules } from '@engulf/sim/rules';
import { BENCH_LOBBY } from './open-ports.ts';

/*
 * Plays for many: heads for a place until another takes its fancy, splits about every three seconds and ejects
 * about every half. Whoever is eaten comes back at once.
 */

const STEER_MS = 50;
const CHANCE = { newTarget: 0.04, split: 1 / 60, eject: 0.1 };
const PING_MS = 3_000;

const [url, count] = process.argv.slice(2);
const sdk = new Client(url!);
let entries = 0;

for (let i = 0; i < Number(count); i++) {
  void playForever(i);
  await sleep(20);
}
process.send!('playing');

async function playForever(player: number): Promise<never> {
  for (;;) await playOnce(`p${player}-${process.pid}-${entries++}`);
}

async function playOnce(joinTicket: string): Promise<void> {
  const options = { type: 'player', lobbyId: BENCH_LOBBY, joinTicket, protocolVersion: PROTOCOL_VERSION };
  const room: Room = await sdk.joinOrCreate(ROOM_NAME, options);
  const decoder = createArenaDecoder();
  const onState = (bytes: Uint8Array) => {
    if (decodeUpdate(decoder, bytes) === 'needsFull') room.send('fullUpdate');
  };
  room.onMessage(STATE_MESSAGES.player.full, onState);
  room.onMessage(STATE_MESSAGES.player.delta, onState);
  const over = new Promise<void>((resolve) => room.onMessage('gameOver', () => resolve()));
  room.onMessage('*', () => {});
  room.send('spawn', { name: 'bench', screenWidth: 1920, screenHeight: 1080 });
  const target = { x: 0, y: 0 };
  let inputs = 0;
  const input = (type: string, payload = {}) => {
    inputs = (inputs + 1) % 256;
    room.send(type, { ...payload, seq: inputs });
  };
  aim(target);
  const steering = setInterval(() => act(input, decoder.view.primary, target), STEER_MS);
  const pinging = setInterval(() => {
    room.send('ping', { id: 1, timestamp: 1, data: 'x'.repeat(100) });
  }, PING_MS);
  await over;
  clearInterval(steering);
  clearInterval(pinging);
  await room.leave();
}

function act(
  input: (type: string, payload?: object) => void,
  own: { readonly x: number; readonly y: number } | undefined,
  target: { x: number; y: number },
): void {
  if (!own) return;
  if (Math.random() < CHANCE.newTarget) aim(target);
  input('movement', { x: target.x - own.x, y: target.y - own.y });
  if (Math.random() < CHANCE.split) input('split');
  if (Math.random() < CHANCE.eject) input('ejectMass');
}

function aim(target: { x: number; y: number }): void {
  target.x = Math.random() * standardRules.worldSize;
  target.y = Math.random() * standardRules.worldSize;
}
