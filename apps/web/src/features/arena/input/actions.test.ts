import { describe, expect, test } from 'vitest';
import { ACTIONS, actionOf, keyHints, panDirection } from './actions.ts';

describe('the action table', () => {
  test.each(['player', 'spectator'] as const)('binds every key once for a %s', (role) => {
    const codes = Object.values(ACTIONS)
      .filter(({ roles }) => (roles as readonly string[]).includes(role))
      .flatMap((action) => action.codes);
    expect(new Set(codes).size).toBe(codes.length);
  });

  test('hints only at what a role may do', () => {
    for (const action of Object.values(ACTIONS)) {
      if ('hintFor' in action) expect(action.roles).toContain(action.hintFor);
    }
  });

  test('lists the hints of each role', () => {
    const text = (role: 'player' | 'spectator') =>
      keyHints(role).map(({ keyName, label }) => `${keyName} ${label}`);
    expect(text('player')).toEqual(['W Eject mass', 'Space Split', '1-6 Emotes', 'L Leaderboard']);
    expect(text('spectator')).toEqual(['F Top player', 'Tab Random player', 'R Reset view', 'WASD Pan']);
  });
});

describe('actionOf', () => {
  test.each([
    ['KeyW', 'player', 'eject'],
    ['KeyW', 'spectator', 'pan'],
    ['Space', 'player', 'split'],
    ['Space', 'spectator', undefined],
    ['Tab', 'player', undefined],
    ['KeyM', 'spectator', 'map'],
    ['KeyQ', 'player', undefined],
  ] as const)('%s for a %s is %s', (code, role, action) => {
    expect(actionOf(code, role)).toBe(action);
  });
});

describe('panDirection', () => {
  test.each([
    [['KeyW'], 0, -1],
    [['KeyW', 'ArrowUp'], 0, -1],
    [['KeyA', 'KeyD'], 0, 0],
    [['ArrowRight', 'KeyS'], 1, 1],
    [['KeyQ'], 0, 0],
  ])('%j pans by (%d, %d)', (held, x, y) => {
    expect(panDirection(new Set(held))).toEqual({ x, y });
  });
});
