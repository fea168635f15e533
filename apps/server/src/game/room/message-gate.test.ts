import { ROOM_CLIENT_MESSAGES } from '@engulf/protocol/room/client-messages';
import { describe, expect, test } from 'vitest';
import { ABUSE, createMessageGate, judgeMessage } from './message-gate.ts';

const pointer = { x: 1, y: 2, seq: 3 };

describe('the message gate', () => {
  test('accepts well-formed messages up to their rate limit', () => {
    const gate = createMessageGate('player', 0);
    const { burst, perSecond } = ROOM_CLIENT_MESSAGES.movement.limit;
    const kinds = Array.from({ length: burst + 1 }, () => judgeMessage(gate, 'movement', pointer, 0).kind);
    expect(kinds.slice(0, burst)).toEqual(kinds.slice(0, burst).map(() => 'accepted'));
    expect(kinds.at(-1)).toBe('dropped');
    expect(judgeMessage(gate, 'movement', pointer, 1000 / perSecond).kind).toBe('accepted');
    expect(judgeMessage(gate, 'split', { seq: 4 }, 0)).toEqual({
      kind: 'accepted',
      message: { type: 'split', payload: { seq: 4 } },
    });
  });

  test.each([
    ['movement', { x: Number.POSITIVE_INFINITY, y: 0, seq: 1 }],
    ['movement', { x: 1, y: 2, seq: 1, z: 3 }],
    ['movement', undefined],
    ['movement', { x: 1, y: 2 }],
    ['movement', { x: 1, y: 2, seq: 256 }],
    ['split', { seq: Number.NaN }],
    ['spawn', { name: 'n', screenWidth: -1, screenHeight: 1 }],
    ['split', {}],
    ['constructor', {}],
    [7, {}],
    [undefined, undefined],
  ])('drops %s with %j', (type, payload) => {
    expect(judgeMessage(createMessageGate('player', 0), type, payload, 0)).toEqual({ kind: 'dropped' });
  });

  test('accepts only pings and full updates from spectators', () => {
    const gate = createMessageGate('spectator', 0);
    expect(judgeMessage(gate, 'fullUpdate', undefined, 0).kind).toBe('accepted');
    expect(judgeMessage(gate, 'movement', pointer, 0).kind).toBe('dropped');
  });

  test('reports abuse for many bad messages at once, not for one now and then', () => {
    const tolerated = ABUSE.limit / ABUSE.invalidWeight;
    const hasty = createMessageGate('player', 0);
    for (let i = 0; i < tolerated; i++) expect(judgeMessage(hasty, 'nonsense', 0, 0).kind).toBe('dropped');
    expect(judgeMessage(hasty, 'nonsense', 0, 0)).toEqual({ kind: 'abusive', reason: 'Invalid messages' });

    const clumsy = createMessageGate('player', 0);
    for (let i = 0; i < 10 * tolerated; i++) {
      expect(judgeMessage(clumsy, 'nonsense', 0, i * 1_000).kind).toBe('dropped');
    }
  });
});
