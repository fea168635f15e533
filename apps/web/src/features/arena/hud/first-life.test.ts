import { describe, expect, test } from 'vitest';
import type { ArenaEvent } from '../net/events.ts';
import { beginLesson, type Glimpse, type Lesson, learnFrom, type Progress } from './first-life.ts';

const ate = (prey: 'food' | 'cell'): ArenaEvent => ({ type: 'eaten', prey, isOwnEater: true });
const gameOver = (cause: 'portal' | 'eaten') =>
  ({ type: 'gameOver', payload: { cause, killer: null, stats: {} } }) as unknown as ArenaEvent;

function glimpse(nowMs: number, change: Partial<Glimpse> = {}): Glimpse {
  const own = { left: 0.5, top: 0.5 };
  return { type: 'glimpse', nowMs, own, isNearVirus: false, isPortalAnnounced: false, ...change };
}

function learn(lesson: Lesson, ...news: (ArenaEvent | Glimpse)[]): Progress | undefined {
  return news.reduce<Progress | undefined>(
    (progress, each) => progress && learnFrom(progress, each),
    beginLesson(lesson),
  );
}

describe('the guide', () => {
  test('waits until the player has moved', () => {
    expect(learn('move', glimpse(0), glimpse(60_000))?.lesson).toBe('move');
    expect(learn('move', glimpse(0), glimpse(900, { own: { left: 0.54, top: 0.5 } }))?.lesson).toBe('eat');
  });

  test('waits for five crumbs of the own', () => {
    const crumbs = Array.from({ length: 4 }, () => ate('food'));
    const foreign: ArenaEvent = { type: 'eaten', prey: 'food', isOwnEater: false };
    expect(learn('eat', ...crumbs, foreign)?.lesson).toBe('eat');
    expect(learn('eat', ...crumbs, ate('food'))?.lesson).toBe('split');
  });

  test('waits for somebody who was split onto, and not for ever', () => {
    const split: ArenaEvent = { type: 'split', cellCount: 2 };
    expect(learn('split', glimpse(0), split, glimpse(1_000), ate('cell'))?.lesson).toBe('virus');
    expect(learn('split', glimpse(0), split, glimpse(4_000), ate('cell'))?.lesson).toBe('split');
    expect(learn('split', glimpse(0), ate('cell'))?.lesson).toBe('split');
    expect(learn('split', glimpse(0), glimpse(30_000))?.lesson).toBe('virus');
  });

  test('waits until the player has kept beside a virus for a while', () => {
    const near = { isNearVirus: true };
    expect(learn('virus', glimpse(0, near), glimpse(1_500, near))?.lesson).toBe('portal');
    expect(learn('virus', glimpse(0, near), glimpse(800), glimpse(1_500, near))?.lesson).toBe('virus');
  });

  test('teaches the portal when one is announced, and goes back afterwards', () => {
    const announced = learn('eat', glimpse(0, { isPortalAnnounced: true }));
    expect(announced).toMatchObject({ lesson: 'eat', taught: 'portal' });
    expect(learnFrom(announced!, glimpse(9_000))).toMatchObject({ lesson: 'eat', taught: 'eat' });
  });

  test('goes on where it was after a death, and is over after a cash-out', () => {
    expect(learn('split', gameOver('eaten'))?.lesson).toBe('split');
    expect(learn('eat', gameOver('portal'))).toBeUndefined();
    expect(learn('portal', glimpse(0), glimpse(600_000))?.lesson).toBe('portal');
  });
});
