import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RoomEvent } from '../net/room-event.ts';
import { hudAfter, KILL_WORDS, pickKillWord } from './hud-events.ts';
import { createHudStore, type HudState } from './hud-store.ts';

const context = { ownName: 'me', random: () => 0 };

function hudUpon(...events: readonly RoomEvent[]): HudState {
  const hud = createHudStore();
  for (const event of events) hud.setState((state) => hudAfter(state, event, context));
  return hud.getState();
}

const kill = (killerName: string, victimName: string): RoomEvent => ({
  type: 'liveUpdate',
  payload: { type: 'kill', timestamp: 1, killerName, victimName, reward: '0.038(x0.38)' },
});
const over = (cause: 'eaten' | 'portal' | 'closed' | 'disconnected'): RoomEvent => ({
  type: 'gameOver',
  payload: { stats: { reward: '0.342(x3.42)', finalMass: 2184, usdValue: '$48.77' }, cause },
});

describe('the feed', () => {
  test('keeps the latest six, the newest first, and marks what is about oneself', () => {
    const { feed } = hudUpon(...['a', 'b', 'c', 'd', 'e', 'f', 'me'].map((name) => kill(name, 'x')));
    expect(feed.map((line) => line.type === 'kill' && line.killerName)).toEqual([
      'me',
      'f',
      'e',
      'd',
      'c',
      'b',
    ]);
    expect(feed.map(({ isOwn }) => isOwn)).toEqual([true, false, false, false, false, false]);
    expect(new Set(feed.map(({ id }) => id)).size).toBe(6);
  });
});

describe('the end of a game', () => {
  test('by being eaten names the eater and what was lost', () => {
    const { end } = hudUpon(
      { type: 'personalRank', payload: { rank: 9, reward: '0.142(x1.42)' } },
      kill('OozeLord', 'me'),
      over('eaten'),
    );
    expect(end).toEqual({ kind: 'rekt', eatenBy: 'OozeLord', bagLost: '0.142', finalMass: 2184 });
  });

  test('by being eaten out of the blue says what it knows', () => {
    expect(hudUpon(over('eaten')).end).toEqual({
      kind: 'rekt',
      eatenBy: undefined,
      bagLost: undefined,
      finalMass: 2184,
    });
  });

  test('through a portal or at closing time is a bag secured', () => {
    expect(hudUpon(over('portal')).end).toMatchObject({
      kind: 'secured',
      wasClosed: false,
      usdValue: '$48.77',
    });
    expect(hudUpon(over('closed')).end).toMatchObject({ kind: 'secured', wasClosed: true });
    expect(hudUpon(over('disconnected')).end).toEqual({ kind: 'disconnected' });
  });
});

test('each kill is a banner of its own', () => {
  const ko: RoomEvent = {
    type: 'KO',
    payload: { victim: 'nibbler', killType: 'eaten', reward: '0.038(x0.38)', timestamp: 1 },
  };
  expect(hudUpon(ko).kill).toEqual({
    id: 1,
    word: { word: 'ANNIHILATED', colour: 'kw-annihilated' },
    victim: 'nibbler',
    amount: '0.038',
  });
  expect(hudUpon(ko, ko).kill!.id).toBe(2);
});

describe('pickKillWord', () => {
  test('reaches every word, and only words', () => {
    const picked = KILL_WORDS.map((_word, index) => pickKillWord((index + 0.5) / KILL_WORDS.length));
    expect(picked).toEqual([...KILL_WORDS]);
    expect(pickKillWord(0).word).toBe('ANNIHILATED');
    expect(pickKillWord(1).word).toBe('ROBBED');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        expect(KILL_WORDS).toContain(pickKillWord(random));
      }),
    );
  });

  test('gives each its own colour', () => {
    expect(new Set(KILL_WORDS.map(({ colour }) => colour)).size).toBe(12);
  });
});
