import { describe, expect, test, vi } from 'vitest';
import { type ArenaEvent, createArenaEvents } from '../net/events.ts';
import { type GameEnd, watchGameEnd } from './game-end.ts';

function endAfter(...published: readonly ArenaEvent[]): GameEnd | undefined {
  const events = createArenaEvents();
  const onEnd = vi.fn<(end: GameEnd) => void>();
  watchGameEnd(events, onEnd);
  for (const event of published) events.publish(event);
  return onEnd.mock.lastCall?.[0];
}

const over = (
  cause: 'eaten' | 'portal' | 'closed' | 'disconnected' | 'fault' | 'unknown',
  killer: string | null = null,
): ArenaEvent => ({
  type: 'gameOver',
  payload: { stats: { reward: '0.342(x3.42)', finalMass: 2184, usdValue: '$48.77' }, cause, killer },
});
const rank: ArenaEvent = { type: 'personalRank', payload: { rank: 9, reward: '0.142(x1.42)' } };

describe('the end of a game', () => {
  test('an eaten player learns who ate them and what they lost', () => {
    expect(endAfter(rank, over('eaten', 'OozeLord'))).toEqual({
      kind: 'rekt',
      eatenBy: 'OozeLord',
      bagLost: '0.142',
      finalMass: 2184,
    });
  });

  test.each(['eaten', 'unknown'] as const)('%s without earlier events leaves the details out', (cause) => {
    expect(endAfter(over(cause))).toEqual({
      kind: 'rekt',
      eatenBy: undefined,
      bagLost: undefined,
      finalMass: 2184,
    });
  });

  test('leaving through a portal or at closing time secures the bag', () => {
    const secured = { kind: 'secured', reward: '0.342(x3.42)', usdValue: '$48.77' };
    expect(endAfter(over('portal'))).toMatchObject({ ...secured, wasClosed: false });
    expect(endAfter(over('closed'))).toMatchObject({ ...secured, wasClosed: true });
  });

  test.each([over('disconnected'), over('fault'), { type: 'disconnected', wasHidden: false } as const])(
    '%j shows the disconnect popup',
    (event) => {
      const welcome = { type: 'welcome', payload: { gameId: 'game-1' } } as ArenaEvent;
      expect(endAfter(welcome, event)).toEqual({ kind: 'disconnected', gameId: 'game-1', wasHidden: false });
    },
  );

  test('other events do not end the game', () => {
    expect(endAfter(rank)).toBeUndefined();
  });
});
