import { failure } from '@engulf/domain/errors/registry';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { connectionMetrics } from '../net/connection-metrics.ts';
import { type ArenaEvent, createArenaEvents } from '../net/events.ts';
import { fillHud, KILL_WORDS, pickKillWord } from './hud-events.ts';
import { createHudStore, type HudState } from './hud-store.ts';

const face = { avatarUrl: '/avatars/nibbler.png', colour: 7 };
const faceOf = (name: string) => (name === 'nibbler' ? face : undefined);

function hudAfter(...published: readonly ArenaEvent[]): HudState {
  const hud = createHudStore();
  const events = createArenaEvents();
  fillHud(hud, events, { ownName: 'me', random: () => 0, grudges: new Set(), faceOf });
  for (const event of published) events.publish(event);
  return hud.getState();
}

const kill = (killerName: string, victimName: string): ArenaEvent => ({
  type: 'liveUpdate',
  payload: [{ type: 'kill', timestamp: 1, killerName, victimName, reward: '0.038(x0.38)' }],
});
const ko: ArenaEvent = {
  type: 'KO',
  payload: { victim: 'nibbler', killType: 'eaten', reward: '0.038(x0.38)', timestamp: 1 },
};
const over: ArenaEvent = {
  type: 'gameOver',
  payload: {
    stats: { reward: '0.342(x3.42)', finalMass: 2184, usdValue: '$48.77' },
    cause: 'portal',
    killer: null,
  },
};

describe('the HUD', () => {
  test('the feed keeps the latest six lines, newest first, and marks those about the player', () => {
    const { feed } = hudAfter(...['a', 'b', 'c', 'd', 'e', 'f', 'me'].map((name) => kill(name, 'x')));
    const killers = feed.map((line) => line.type === 'kill' && line.killerName);
    expect(killers).toEqual(['me', 'f', 'e', 'd', 'c', 'b']);
    expect(feed.map(({ isOwn }) => isOwn)).toEqual([true, false, false, false, false, false]);
    expect(new Set(feed.map(({ id }) => id)).size).toBe(6);
  });

  test('lines that the room sends again after a new join are shown once', () => {
    const { feed } = hudAfter(kill('a', 'b'), kill('c', 'd'), kill('a', 'b'), kill('c', 'd'));
    expect(feed).toHaveLength(2);
  });

  test('a kill is a revenge only if the victim has eaten the player before, and once', () => {
    const eaten: ArenaEvent = { ...over, payload: { ...over.payload, cause: 'eaten', killer: 'nibbler' } };
    expect(hudAfter(eaten, ko).kill!.word).toBe('REVENGE');
    expect(hudAfter(eaten, ko, ko).kill!.word).toBe('ANNIHILATED');
  });

  test('every kill gets its own banner', () => {
    expect(hudAfter(ko).kill).toEqual({
      id: 1,
      word: 'ANNIHILATED',
      colour: 'kw-annihilated',
      victim: 'nibbler',
      face,
      amount: '0.038',
    });
    expect(hudAfter(ko, ko).kill!.id).toBe(2);
  });

  test('the leaderboard brings players and pool, and joins and leaves update the count', () => {
    const board: ArenaEvent = {
      type: 'leaderboard',
      payload: {
        leaderboard: [{ name: 'a', reward: '1', position: 1 }],
        totalPlayers: 7,
        totalBots: 4,
        poolTotal: '5',
        pool: '0.005',
      },
    };
    expect(hudAfter(board)).toMatchObject({
      totalPlayers: 7,
      totalBots: 4,
      pool: '0.005',
      leaderboard: [{ name: 'a' }],
    });
    const left: ArenaEvent = {
      type: 'playerDisconnect',
      payload: { name: 'a', isBot: false, totalPlayers: 6, totalBots: 3 },
    };
    expect(hudAfter(board, left)).toMatchObject({ totalPlayers: 6, totalBots: 3 });
  });

  test('a refused join shows why', () => {
    expect(hudAfter({ type: 'joinFailed', failure: failure('LOBBY_FULL') })).toMatchObject({
      phase: 'failed',
      failure: { title: 'Lobby Full' },
    });
  });

  test('a countdown shows until it is called off or the game ends', () => {
    const counting: ArenaEvent = { type: 'countdown', countdown: { kind: 'lost', secondsLeft: 8 } };
    expect(hudAfter(counting).countdown).toEqual({ kind: 'lost', secondsLeft: 8 });
    expect(hudAfter(counting, { type: 'countdown', countdown: undefined }).countdown).toBeUndefined();
    expect(hudAfter(counting, { type: 'disconnected', wasHidden: false }).countdown).toBeUndefined();
    expect(hudAfter(counting, over).countdown).toBeUndefined();
  });

  test('the end of the game clears banner and rank', () => {
    const rank: ArenaEvent = { type: 'personalRank', payload: { rank: 9, reward: '0.142(x1.42)' } };
    expect(hudAfter(rank).ownRank?.rank).toBe(9);
    expect(hudAfter(rank, ko, over)).toMatchObject({ ownRank: undefined, kill: undefined });
  });

  test('the connection is shown as measured', () => {
    const metrics = connectionMetrics([], 0, 0);
    expect(hudAfter({ type: 'connectionMeasured', metrics }).connection).toBe(metrics);
  });

  test('events that no panel shows do not touch the store', () => {
    const hud = createHudStore();
    const events = createArenaEvents();
    fillHud(hud, events, { ownName: 'me', random: () => 0, grudges: new Set(), faceOf });
    const onChange = vi.fn();
    hud.subscribe(onChange);
    events.publish({ type: 'eaten', prey: 'food', isOwnEater: true });
    expect(onChange).not.toHaveBeenCalled();
  });
});

describe('pickKillWord', () => {
  test('reaches every word and nothing else', () => {
    const others = KILL_WORDS.filter(({ word }) => word !== 'REVENGE');
    const picked = others.map((_word, index) => pickKillWord((index + 0.5) / others.length, false));
    expect(picked).toEqual(others);
    expect(pickKillWord(0, false).word).toBe('ANNIHILATED');
    expect(pickKillWord(1, false).word).toBe('ROBBED');
    expect(pickKillWord(0, true).word).toBe('REVENGE');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (random) => {
        expect(KILL_WORDS).toContain(pickKillWord(random, false));
      }),
    );
  });

  test('gives each word its own colour', () => {
    expect(new Set(KILL_WORDS.map(({ colour }) => colour)).size).toBe(12);
  });
});
