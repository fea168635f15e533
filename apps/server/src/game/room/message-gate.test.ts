import { movementBytes, pressBytes } from '@engulf/protocol/room/byte-messages';
import { MIN_MOVEMENT_GAP_MS, ROOM_CLIENT_MESSAGES } from '@engulf/protocol/room/client-messages';
import { describe, expect, test } from 'vitest';
import { ABUSE, createMessageGate, judgeMessage } from './message-gate.ts';

const pointer = movementBytes.write({ x: 4, y: 8, seq: 3 });

describe('the message gate', () => {
  test('accepts well-formed messages up to their rate limit', () => {
    const gate = createMessageGate('player', 0);
    const { burst, perSecond } = ROOM_CLIENT_MESSAGES.ejectMass.limit;
    const eject = (nowMs: number) => judgeMessage(gate, 'ejectMass', Uint8Array.of(3), nowMs).kind;
    const kinds = Array.from({ length: burst + 1 }, () => eject(0));
    expect(kinds.slice(0, burst)).toEqual(kinds.slice(0, burst).map(() => 'accepted'));
    expect(kinds.at(-1)).toBe('dropped');
    expect(eject(1000 / perSecond)).toBe('accepted');
    expect(judgeMessage(gate, 'split', pressBytes.write({ seq: 4 }), 0)).toEqual({
      kind: 'accepted',
      message: { type: 'split', payload: { seq: 4 } },
    });
  });

  test('takes all pointers of a line that was stuck for ten seconds, so that the newest one counts', () => {
    const gate = createMessageGate('player', 0);
    const stuck = 10_000 / MIN_MOVEMENT_GAP_MS;
    const kinds = Array.from({ length: 2 * stuck }, () => judgeMessage(gate, 'movement', pointer, 0).kind);
    expect(kinds[stuck - 1]).toBe('accepted');
    expect(kinds.at(-1)).toBe('abusive');
  });

  test.each([
    ['movement', { x: 4, y: 'up', seq: 3 }],
    ['movement', undefined],
    ['movement', new Uint8Array(3)],
    ['movement', Uint8Array.of(0, 8, 0, 0)],
    ['split', { seq: 400 }],
    ['split', new Uint8Array(2)],
    ['ejectMass', new Uint8Array(0)],
    ['spawn', { name: 'n', screenWidth: -1, screenHeight: 1 }],
    ['split', null],
    ['ping', { id: 'one', timestamp: 5 }],
    ['ping', new Uint8Array(117)],
    ['ping', new Uint8Array(15)],
    [undefined, undefined],
  ] as const)('drops %s with %j', (type, payload) => {
    expect(judgeMessage(createMessageGate('player', 0), type, payload, 0)).toMatchObject({ kind: 'dropped' });
  });

  test.each([
    ['chat', { message: 'x'.repeat(2_001) }],
    ['chat', { message: 5 }],
    ['chat', 'hi'],
    ['privateMessage', { to: 'ann' }],
    ['privateMessage', { to: 'x'.repeat(41), message: 'hi' }],
    ['admin', { command: 'kick', args: 'ann' }],
    ['admin', { command: 'kick', args: [{}] }],
    ['admin', { command: 'kick', args: Array(201).fill('') }],
    ['requestChatHistory', 'all'],
    ['f4Testing', {}],
  ] as const)('drops %s with %j', (type, payload) => {
    expect(judgeMessage(createMessageGate('player', 0), type, payload, 0)).toMatchObject({ kind: 'dropped' });
  });

  test('gives mass only to testers', () => {
    const kindFor = (role: 'player' | 'tester' | 'spectator') =>
      judgeMessage(createMessageGate(role, 0), 'f4Testing', {}, 0).kind;
    expect([kindFor('tester'), kindFor('player'), kindFor('spectator')]).toEqual([
      'accepted',
      'dropped',
      'dropped',
    ]);
  });

  test('accepts nothing from spectators that touches the game or is read by others', () => {
    const gate = createMessageGate('spectator', 0);
    expect(judgeMessage(gate, 'fullUpdate', new Uint8Array(), 0).kind).toBe('accepted');
    expect(judgeMessage(gate, 'requestChatHistory', {}, 0).kind).toBe('accepted');
    expect(judgeMessage(gate, 'chat', { message: 'hi' }, 0).kind).toBe('dropped');
    expect(judgeMessage(gate, 'privateMessage', { to: 'ann', message: 'hi' }, 0).kind).toBe('dropped');
    expect(judgeMessage(gate, 'movement', pointer, 0).kind).toBe('dropped');
  });

  test('reports abuse for many bad messages at once, not for one now and then', () => {
    const tolerated = ABUSE.limit / ABUSE.invalidWeight;
    const hasty = createMessageGate('player', 0);
    for (let i = 0; i < tolerated; i++) expect(judgeMessage(hasty, undefined, 0, 0).kind).toBe('dropped');
    expect(judgeMessage(hasty, undefined, 0, 0)).toMatchObject({
      kind: 'abusive',
      refusal: { code: 'INVALID_REQUEST' },
    });

    const clumsy = createMessageGate('player', 0);
    for (let i = 0; i < 10 * tolerated; i++) {
      expect(judgeMessage(clumsy, undefined, 0, i * 1_000).kind).toBe('dropped');
    }
  });

  test('says why a message is refused, but does not answer a flood', () => {
    const gate = createMessageGate('spectator', 0);
    const codeOf = (type: 'chat' | 'ping' | undefined, body: unknown) => {
      const verdict = judgeMessage(gate, type, body, 0);
      return verdict.kind === 'accepted' ? undefined : verdict.refusal.code;
    };
    expect(codeOf(undefined, {})).toBe('INVALID_REQUEST');
    expect(codeOf('ping', { id: -1 })).toBe('INVALID_REQUEST');
    expect(codeOf('chat', { message: 'hi' })).toBe('FORBIDDEN');
    for (let i = 0; i < 10; i++) codeOf('ping', { id: 1, timestamp: 1 });
    expect(codeOf('ping', { id: 1, timestamp: 1 })).toBe('RATE_LIMITED');
    expect(judgeMessage(gate, undefined, {}, 0)).toMatchObject({ kind: 'dropped', isAnswered: false });
    expect(judgeMessage(gate, undefined, {}, 1_000)).toMatchObject({ kind: 'dropped', isAnswered: true });
  });
});
