import { standardRules } from '@engulf/sim/rules';
import { describe, expect, test } from 'vitest';
import { hasKnownProtocol, PROTOCOL_VERSION } from '../version.ts';
import { MAX_POINTER_WORLD, writeMovement } from './byte-messages.ts';
import { MIN_MOVEMENT_GAP_MS, ROOM_CLIENT_MESSAGES } from './client-messages.ts';
import { joinOptionsSchema } from './join-options.ts';
import { fromPlainPayload } from './plain-messages.ts';
import { appendLatest, LIVE_FEED_LENGTH } from './server-messages.ts';

const { movement, ping, quality, spawn, split } = ROOM_CLIENT_MESSAGES;

describe('client messages', () => {
  test('numbers that are not finite or are out of bounds are refused', () => {
    const wish = { name: 'a', screenWidth: 800, screenHeight: 100 };
    expect(spawn.payload.safeParse(wish).success).toBe(true);
    for (const screenWidth of [Number.NaN, Number.POSITIVE_INFINITY, 0, 20_000, '1', null, undefined]) {
      expect(spawn.payload.safeParse({ ...wish, screenWidth }).success, String(screenWidth)).toBe(false);
    }
  });

  test('unknown members are refused', () => {
    expect(quality.payload.safeParse({ level: 'good', times: 16 }).success).toBe(false);
    expect(quality.payload.safeParse({ level: 'good' }).success).toBe(true);
  });

  test.each([undefined, { seq: 1 }, [1], '1', 1, new Uint8Array(0), new Uint8Array(2)])(
    '%j does not split anything',
    (payload) => {
      expect(split.payload.safeParse(payload).success).toBe(false);
    },
  );

  test('the limits leave room for an honest client', () => {
    expect(movement.limit.perSecond).toBeGreaterThan(1000 / MIN_MOVEMENT_GAP_MS);
    const ejectsPerSecond = 1 / standardRules.ejecting.cooldownSeconds;
    expect(ROOM_CLIENT_MESSAGES.ejectMass.limit.perSecond).toBeGreaterThan(ejectsPerSecond);
  });

  test('the arena accepts every offset that passes', () => {
    expect(MAX_POINTER_WORLD).toBeLessThanOrEqual(standardRules.steering.maxOffset);
    expect(movement.payload.safeParse(writeMovement({ x: 8, y: -4, seq: 255 })).data).toEqual({
      x: 8,
      y: -4,
      seq: 255,
    });
    for (const payload of [{ x: 8, y: -4, seq: 255 }, new Uint8Array(5), [0, 0, 0, 0], undefined]) {
      expect(movement.payload.safeParse(payload).success).toBe(false);
    }
  });
});

describe('joining', () => {
  const options = { lobbyId: 'lobby-1', protocolVersion: PROTOCOL_VERSION };

  test('a missing ticket reads as an empty one, which no room takes', () => {
    const read = (more: object) => joinOptionsSchema.parse({ ...options, type: 'player', ...more });
    expect(read({ joinTicket: 't' })).toMatchObject({ joinTicket: 't' });
    expect(read({})).toMatchObject({ joinTicket: '' });
    expect(read({ joinTicket: null })).toMatchObject({ joinTicket: '' });
    expect(joinOptionsSchema.safeParse({ ...options, type: 'player', joinTicket: 7 }).success).toBe(false);
  });

  test('all six options may come with either type, and those without a value as null', () => {
    const names = { playerName: 'Ann', userId: 'u1', playerId: 'u1' };
    for (const type of ['player', 'spectator']) {
      const six = { type, lobbyId: 'lobby-1', joinTicket: 't', ...names };
      expect(joinOptionsSchema.safeParse(six).success).toBe(true);
      const blank = { ...six, playerName: null, userId: null, playerId: null, joinTicket: null };
      expect(joinOptionsSchema.safeParse(blank).success).toBe(true);
    }
    expect(joinOptionsSchema.safeParse({ ...options, type: 'ghost' }).success).toBe(false);
  });

  test('an outdated client is detected whatever else it sends', () => {
    expect(hasKnownProtocol({ ...options, somethingOld: true })).toBe(true);
    expect(hasKnownProtocol({ ...options, protocolVersion: PROTOCOL_VERSION - 1 })).toBe(false);
    expect(hasKnownProtocol({ ...options, protocolVersion: String(PROTOCOL_VERSION) })).toBe(false);
    expect(hasKnownProtocol(undefined)).toBe(false);
  });

  test('a client that names no version is welcome to speak plainly', () => {
    expect(hasKnownProtocol({ lobbyId: 'lobby-1' })).toBe(true);
  });
});

test('the live feed keeps the latest six', () => {
  let feed: readonly number[] = [];
  for (let event = 1; event <= 9; event++) feed = appendLatest(feed, event, LIVE_FEED_LENGTH);
  expect(feed).toEqual([4, 5, 6, 7, 8, 9]);
});

describe('a plain client', () => {
  test('sends the pointer as an object, and inputs without a payload', () => {
    const { ejectMass } = ROOM_CLIENT_MESSAGES;
    const read = movement.payload.safeParse(fromPlainPayload('movement', { x: 100, y: -8 }));
    expect(read.data).toEqual({ x: 100, y: -8, seq: 0 });
    for (const payload of [undefined, null, {}]) {
      expect(split.payload.safeParse(fromPlainPayload('split', payload)).success).toBe(true);
      expect(ejectMass.payload.safeParse(fromPlainPayload('ejectMass', payload)).success).toBe(true);
      expect(fromPlainPayload('requestChatHistory', payload)).toBeUndefined();
    }
  });

  test.each([{ x: '1', y: 0 }, { x: Number.NaN, y: 0 }, { x: Infinity, y: 0 }, { x: 1 }, null, 'left'])(
    'cannot steer by %o',
    (payload) => {
      expect(movement.payload.safeParse(fromPlainPayload('movement', payload)).success).toBe(false);
    },
  );

  const plainPing = { id: 1, timestamp: 5, data: 'x'.repeat(100) };

  test('pings with an object', () => {
    const { data } = ping.payload.safeParse(fromPlainPayload('ping', plainPing));
    expect(data).toEqual(plainPing);
  });

  test.each([
    { ...plainPing, data: 'x'.repeat(101) },
    { ...plainPing, data: 100 },
    { ...plainPing, id: '1' },
    { ...plainPing, id: 1.5 },
    { ...plainPing, timestamp: Number.NaN },
    { ...plainPing, more: 1 },
    { id: 1, timestamp: 5 },
    undefined,
  ])('cannot ping with %o', (payload) => {
    expect(ping.payload.safeParse(fromPlainPayload('ping', payload)).success).toBe(false);
  });
});
