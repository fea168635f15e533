import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { createEntrance } from './entrance.ts';

const clock = createManualClock();

/** An upgrade request from an address. */
function upgradeFrom(address: string) {
  const socket = Object.assign(new EventEmitter(), { destroy: () => void socket.emit('close') });
  const request = { headers: { address }, socket } as unknown as IncomingMessage;
  return { request, close: () => void socket.emit('close') };
}

function openEntrance(limitScale = 1) {
  const addressOf = ({ headers }: IncomingMessage) => headers['address'] as string;
  return createEntrance({ clock, log: () => {}, addressOf, isOwnOrigin: () => true, limitScale });
}

test('an address has a limited number of open sockets, and a closed one makes room', () => {
  const entrance = openEntrance();
  const open = Array.from({ length: ENTRANCE_LIMITS.maxSocketsPerAddress }, () => upgradeFrom('10.0.0.1'));
  for (const { request } of open) expect(entrance.takeSocket(request).ok).toBe(true);
  expect(entrance.takeSocket(upgradeFrom('10.0.0.1').request)).toMatchObject({
    ok: false,
    error: { code: 'RATE_LIMITED' },
  });
  expect(entrance.takeSocket(upgradeFrom('10.0.0.2').request).ok).toBe(true);
  open[0]!.close();
  expect(entrance.takeSocket(upgradeFrom('10.0.0.1').request).ok).toBe(true);
});

test('an address cannot open and close sockets without limit', () => {
  const entrance = openEntrance();
  const knock = () => {
    const { request, close } = upgradeFrom('10.0.0.1');
    const { ok } = entrance.takeSocket(request);
    close();
    return ok;
  };
  const { burst, perSecond } = ENTRANCE_LIMITS.socketsOpenedPerAddress;
  expect(Array.from({ length: burst + 10 }, knock).filter(Boolean)).toHaveLength(burst);
  clock.advance(1_000 / perSecond);
  expect([knock(), knock()]).toEqual([true, false]);
});

test('the process has a limited number of open sockets, however many addresses they come from', () => {
  const entrance = openEntrance();
  for (let i = 0; i < ENTRANCE_LIMITS.maxSockets; i++) {
    expect(entrance.takeSocket(upgradeFrom(`10.0.${i >> 8}.${i & 255}`).request).ok).toBe(true);
  }
  expect(entrance.takeSocket(upgradeFrom('10.1.0.0').request).ok).toBe(false);
});

test('addresses that only keep sockets open make room for others, and those who have joined do not', () => {
  const entrance = openEntrance();
  const player = upgradeFrom('10.0.0.1');
  entrance.takeSocket(player.request);
  entrance.joined(player.request.socket);
  const { maxSockets, maxSocketsPerAddress } = ENTRANCE_LIMITS;
  const squatters = Array.from({ length: maxSockets - 1 }, (_, i) =>
    upgradeFrom(`10.2.0.${Math.floor(i / maxSocketsPerAddress)}`),
  );
  for (const { request } of squatters) expect(entrance.takeSocket(request).ok).toBe(true);
  const closed: unknown[] = [];
  for (const { request } of [player, ...squatters]) request.socket.on('close', () => closed.push(request));
  for (let i = 0; i < 100; i++) expect(entrance.takeSocket(upgradeFrom(`10.3.0.${i}`).request).ok).toBe(true);
  expect(closed).toHaveLength(100);
  expect(closed).not.toContain(player.request);
});

test('one address cannot join without limit, and another is not affected', () => {
  const { mayJoin } = openEntrance();
  const { burst } = ENTRANCE_LIMITS.joinsPerAddress;
  for (let i = 0; i < burst; i++) expect(mayJoin('10.0.0.1')).toBe(true);
  expect(mayJoin('10.0.0.1')).toBe(false);
  expect(mayJoin('10.0.0.2')).toBe(true);
});
