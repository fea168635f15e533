import { describe, expect, test } from 'vitest';
import { aBody, aFrame, aPlayer } from '../../../testing/arena-fixtures.ts';
import { startGulp } from '../model/frame/gulps.ts';
import { arrowPlace } from './passes/portal-arrow-pass.ts';
import { closedShare, placeOf, shareOf, startSwallow } from './swallows.ts';

const PORTAL = { id: 1, x: 40, y: 0, radius: 50, opacity: 1, secondsLeft: 9, isOpen: true } as const;

function eatenBy(eater = aBody({ id: 2, x: 100, radius: 150, player: aPlayer('OozeLord') })) {
  const prey = aBody({ wasEaten: true, player: aPlayer('nibbler') });
  const frame = aFrame({ cells: [eater] });
  startGulp(frame.gulps, { kind: 'cell', colour: 0, x: 0, y: 0, radius: 50 }, eater, frame.nowMs);
  return { prey, frame, eater };
}

describe('how a cell leaves', () => {
  test('prey goes into the cell that the model named', () => {
    const { prey, frame, eater } = eatenBy();
    const swallow = startSwallow(prey, frame, true)!;
    expect(swallow).toMatchObject({ kind: 'engulfed', eater, fromX: -100 });
    const halfway = placeOf(swallow, frame.nowMs + 220);
    expect(halfway.x).toBeGreaterThan(-100);
    expect(halfway.radius).toBeLessThan(50);
    expect(closedShare(swallow, frame.nowMs)).toBe(0);
    expect(closedShare(swallow, frame.nowMs + 440)).toBe(1);
  });

  test('a cell that joins its sibling is not bitten', () => {
    const player = aPlayer('MoonYolk');
    const { frame } = eatenBy(aBody({ id: 2, x: 100, radius: 150, player }));
    expect(startSwallow(aBody({ wasEaten: true, player }), frame, true)?.kind).toBe('merged');
  });

  test('a cell at an open portal is drawn into it over 0.6 s', () => {
    const frame = aFrame({ portals: [PORTAL] });
    const swallow = startSwallow(aBody({ wasEaten: true }), frame, true)!;
    expect(swallow).toMatchObject({ kind: 'portal', durationMs: 600 });
    expect(placeOf(swallow, frame.nowMs + 599).x).toBeCloseTo(40, 0);
    expect(shareOf(swallow, frame.nowMs + 600)).toBe(1);
    const warning = { ...PORTAL, isOpen: false, opacity: 0.3 };
    expect(startSwallow(aBody({ wasEaten: true }), aFrame({ portals: [warning] }), true)).toBeUndefined();
    expect(startSwallow(aBody(), frame, true), 'it only left the view').toBeUndefined();
  });

  test('the own cell finds its eater although that is shown later', () => {
    const eater = aBody({ id: 2, x: 230, radius: 150, player: aPlayer('OozeLord') });
    const frame = aFrame({ cells: [eater] });
    const player = aPlayer('MoonYolk');
    expect(startSwallow(aBody({ isOwn: true, player }), frame, true)?.eater).toBe(eater);
    expect(startSwallow(aBody({ player }), frame, true), 'another player only left the view').toBeUndefined();
  });

  test('with reduced motion it only fades', () => {
    const { prey, frame } = eatenBy();
    expect(startSwallow(prey, frame, false)?.kind).toBe('faded');
  });
});

test.each([
  [
    { x: 5_000, y: 0 },
    { x: 722.5, y: 400, angle: 0 },
  ],
  [
    { x: 0, y: -5_000 },
    { x: 500, y: 161.25, angle: -Math.PI / 2 },
  ],
])('the arrow to a portal at %j is at %j', (portal, place) => {
  const { x, y, angle } = arrowPlace(aFrame().camera, portal);
  expect(x).toBeCloseTo(place.x);
  expect(y).toBeCloseTo(place.y);
  expect(angle).toBeCloseTo(place.angle);
});

/** The panels on the reference screen: left, top, right, bottom. */
const PANELS = [
  [660, 0, 1260, 104],
  [610, 890, 1310, 1080],
  [0, 0, 338, 384],
  [1600, 0, 1920, 400],
  [0, 790, 370, 1080],
  [1632, 700, 1920, 1080],
] as const;

test('the arrow to a portal is behind no panel, wherever that is', () => {
  const camera = { ...aFrame().camera, widthPx: 1920, heightPx: 1080, scale: 1, x: 0, y: 0 };
  for (let degree = 0; degree < 360; degree += 3) {
    const angle = (degree / 180) * Math.PI;
    const { x, y } = arrowPlace(camera, { x: 5_000 * Math.cos(angle), y: 5_000 * Math.sin(angle) });
    const hidden = PANELS.filter(
      ([left, top, right, bottom]) => x > left - 20 && x < right + 20 && y > top - 20 && y < bottom + 20,
    );
    expect(hidden).toEqual([]);
  }
});
