import { standardRules } from '@engulf/sim/rules';
import { describe, expect, test } from 'vitest';
import { PROTOCOL_VERSION } from '../version.ts';
import { MAX_POINTER_WORLD, movementBytes, pingBytes } from './byte-messages.ts';
import { MIN_MOVEMENT_GAP_MS, parseClientMessage, ROOM_CLIENT_MESSAGES } from './client-messages.ts';
import { joinOptionsSchema, ROOM_NAME, readHello, roomAddress } from './join.ts';
import { appendLatest, LIVE_FEED_LENGTH } from './server-messages.ts';

const { movement, spawn } = ROOM_CLIENT_MESSAGES;

describe('client messages', () => {
  test('numbers that are not finite or are out of bounds are refused', () => {
    const wish = { name: 'a', screenWidth: 800, screenHeight: 100 };
    expect(spawn.payload.safeParse(wish).success).toBe(true);
    for (const screenWidth of [Number.NaN, Number.POSITIVE_INFINITY, 0, 20_000, '1', null, undefined]) {
      expect(spawn.payload.safeParse({ ...wish, screenWidth }).success, String(screenWidth)).toBe(false);
    }
  });

  test('are read from bytes, from JSON in bytes, and from objects, without what we do not know', () => {
    const read = (body: unknown) => parseClientMessage('quality', body)?.payload;
    expect(read({ level: 'good', times: 16 })).toEqual({ level: 'good' });
    expect(read(Buffer.from('{"level":"good"}'))).toEqual({ level: 'good' });
    for (const body of [
      Buffer.from('{"level"'),
      Buffer.of(0xff),
      new Uint8Array(),
      { level: 'best' },
      null,
      3,
    ]) {
      expect(read(body)).toBeUndefined();
    }
    expect(parseClientMessage('fullUpdate', new Uint8Array())).toEqual({ type: 'fullUpdate', payload: {} });
    const pointer = { x: 8, y: -4, seq: 255 };
    expect(parseClientMessage('movement', movementBytes.write(pointer))?.payload).toEqual(pointer);
  });

  test.each([new Uint8Array(0), new Uint8Array(2), [1], '1', 1, null, undefined, { seq: 256 }])(
    '%j does not split anything',
    (body) => {
      expect(parseClientMessage('split', body)).toBeUndefined();
    },
  );

  test('an object steers like the bytes that it would be', () => {
    const read = (x: number, y: number) => parseClientMessage('movement', { x, y })?.payload;
    expect(read(100, -8)).toEqual({ x: 100, y: -8, seq: 0 });
    expect(read(1e9, -1e9)).toEqual({ x: MAX_POINTER_WORLD, y: -MAX_POINTER_WORLD, seq: 0 });
  });

  test.each([{ x: '1', y: 0 }, { x: Number.NaN, y: 0 }, { x: Infinity, y: 0 }, { x: 1 }, null, 'left'])(
    'cannot steer by %o',
    (body) => {
      expect(parseClientMessage('movement', body)).toBeUndefined();
    },
  );

  const ping = { id: 1, timestamp: 5, data: 'x'.repeat(100) };

  test('a ping is the same as bytes and as an object, which may leave out the padding', () => {
    expect(parseClientMessage('ping', pingBytes.write(ping))?.payload).toEqual(ping);
    expect(parseClientMessage('ping', ping)?.payload).toEqual(ping);
    expect(parseClientMessage('ping', { id: 1, timestamp: 5 })?.payload).toEqual({ ...ping, data: '' });
  });

  test.each([
    { ...ping, data: 'x'.repeat(101) },
    { ...ping, data: 100 },
    { ...ping, id: '1' },
    { ...ping, id: 1.5 },
    { ...ping, timestamp: Number.NaN },
    undefined,
  ])('cannot ping with %o', (body) => {
    expect(parseClientMessage('ping', body)).toBeUndefined();
  });

  test('the limits leave room for an honest client', () => {
    expect(movement.limit.perSecond).toBeGreaterThan(1000 / MIN_MOVEMENT_GAP_MS);
    const ejectsPerSecond = 1 / standardRules.ejecting.cooldownSeconds;
    expect(ROOM_CLIENT_MESSAGES.ejectMass.limit.perSecond).toBeGreaterThan(ejectsPerSecond);
  });

  test('the arena accepts every offset that passes', () => {
    expect(MAX_POINTER_WORLD).toBeLessThanOrEqual(standardRules.steering.maxOffset);
  });
});

describe('joining', () => {
  const options = { lobbyId: 'lobby-1' };
  const hello = {
    room: ROOM_NAME,
    options: { ...options, type: 'player' },
    protocolVersion: PROTOCOL_VERSION,
  };

  test('a missing ticket reads as an empty one, which no room takes', () => {
    const read = (more: object) => joinOptionsSchema.parse({ ...options, type: 'player', ...more });
    expect(read({ joinTicket: 't' })).toMatchObject({ joinTicket: 't' });
    expect(read({})).toMatchObject({ joinTicket: '' });
    expect(read({ joinTicket: null })).toMatchObject({ joinTicket: '' });
    expect(joinOptionsSchema.safeParse({ ...options, type: 'player', joinTicket: 7 }).success).toBe(false);
  });

  test('all options may come with either type, those without a value as null, and others are ignored', () => {
    const names = { playerName: 'Ann', userId: 'u1', playerId: 'u1', lobbyCode: 'abc' };
    for (const type of ['player', 'spectator']) {
      const all = { type, lobbyId: 'lobby-1', joinTicket: 't', ...names, isAdmin: true };
      expect(joinOptionsSchema.parse(all)).not.toHaveProperty('isAdmin');
      const blank = {
        ...all,
        playerName: null,
        userId: null,
        playerId: null,
        lobbyCode: null,
        joinTicket: null,
      };
      expect(joinOptionsSchema.safeParse(blank).success).toBe(true);
    }
    expect(joinOptionsSchema.safeParse({ ...options, type: 'ghost' }).success).toBe(false);
  });

  test.each([true, false])(
    'an outdated client is told so, whatever else it sends (compact: %s)',
    (isCompact) => {
      for (const protocolVersion of [PROTOCOL_VERSION - 1, String(PROTOCOL_VERSION), null]) {
        for (const body of [
          { ...hello, protocolVersion },
          { protocolVersion, somethingOld: true },
        ]) {
          expect(readHello('join', body, { isCompact })).toMatchObject({
            error: { code: 'PROTOCOL_MISMATCH' },
          });
        }
      }
      expect(readHello('join', hello, { isCompact })).toMatchObject({ ok: true, value: { type: 'join' } });
    },
  );

  test('only a client that reads bytes has to name its version', () => {
    const { protocolVersion: _, ...unversioned } = hello;
    expect(readHello('join', unversioned, { isCompact: false }).ok).toBe(true);
    expect(readHello('join', unversioned, { isCompact: true }).ok).toBe(false);
    expect(readHello('resume', { token: 't' }, { isCompact: false })).toEqual({
      ok: true,
      value: { type: 'resume', token: 't' },
    });
  });

  test.each([
    ['movement', { x: 1, y: 2 }],
    [undefined, undefined],
    ['join', null],
    ['join', { ...hello, room: 'other' }],
    ['join', { room: ROOM_NAME }],
    ['resume', { token: '' }],
    ['resume', { token: 'x'.repeat(65) }],
  ])('%s with %j is no first frame', (type, body) => {
    expect(readHello(type, body, { isCompact: false })).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
  });

  test('the address of a room names its lobby', () => {
    expect(roomAddress('https://eu.example/game/', 'a b')).toBe(
      'wss://eu.example/game/agar_game?lobbyId=a%20b',
    );
    expect(roomAddress('http://127.0.0.1:80', 'x')).toBe('ws://127.0.0.1:80/agar_game?lobbyId=x');
  });
});

test('the live feed keeps the latest six', () => {
  let feed: readonly number[] = [];
  for (let event = 1; event <= 9; event++) feed = appendLatest(feed, event, LIVE_FEED_LENGTH);
  expect(feed).toEqual([4, 5, 6, 7, 8, 9]);
});
