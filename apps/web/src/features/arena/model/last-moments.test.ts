import { expect, test } from 'vitest';
import { startRealMatch } from '../../../testing/real-match.ts';
import { createLastMoments } from './last-moments.ts';

const FRAME_MS = 20;

/** Lives for that many ticks and then replays the last moments to their end. */
function liveAndWatch(ticks: number) {
  const match = startRealMatch();
  const moments = createLastMoments();
  const advance = () =>
    match.advance((bytes) => {
      moments.note(bytes);
      match.model.receive(bytes, 0);
    });
  for (let tick = 0; tick < ticks; tick++) advance();
  const lastTick = match.model.view.tick;
  moments.end();
  for (let tick = 0; tick < 50; tick++) advance();
  return { moments, lastTick, watch };

  function watch() {
    const film = moments.replay();
    let seconds = 0;
    const shown = new Set<number>();
    const cells: number[] = [];
    for (; !film.isOver && seconds < 60; seconds += FRAME_MS / 1000) {
      const filmMs = film.advance(FRAME_MS);
      const frame = film.model.advance(filmMs, 0, ({ camera }) => {
        const [first] = film.model.view.bodies;
        if (first) Object.assign(camera, { x: first.x, y: first.y, widthPx: 1920, heightPx: 1080 });
      });
      shown.add(film.model.view.tick);
      cells.push(frame.cells.length);
      expect(frame.own).toBeUndefined();
    }
    return { seconds, ticks: [...shown], cells, food: film.model.frame.food.shown.size };
  }
}

test('a long life is shown from fifteen seconds before its end, and nothing from after it', () => {
  const { lastTick, watch } = liveAndWatch(600);
  const { seconds, ticks, cells, food } = watch();
  expect(ticks.at(-1)).toBe(lastTick);
  expect(ticks[0]).toBe(lastTick - 374);
  expect(seconds).toBeCloseTo(15.9, 0);
  expect(Math.max(...cells)).toBeGreaterThan(0);
  expect(food).toBeGreaterThan(10);
});

test('a short life is shown as a whole, as often as one likes', () => {
  const { lastTick, watch } = liveAndWatch(80);
  for (let time = 0; time < 2; time++) {
    const { ticks } = watch();
    expect([ticks.length, ticks.at(-1)]).toEqual([80, lastTick]);
  }
});
