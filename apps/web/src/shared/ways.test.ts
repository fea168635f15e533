import { beforeEach, expect, test, vi } from 'vitest';
import { aLobby, FREE } from '../testing/fixtures.ts';
import { MEASURE_EVERY_MS, measureWays, nearestFirst, shownWay, wayTo } from './ways.ts';

const [eu, us] = [
  aLobby({ id: 'eu', region: 'eu' }),
  aLobby({ id: 'us', region: 'us', baseGame: 'https://us' }),
];
const way = (ms: number) => ({ ms, measuredAtMs: 0 });

test('lobbies of several regions show how far they are; a single region only if it is far', () => {
  const ways = { eu: way(20), us: way(180) };
  expect([eu, us].map((lobby) => shownWay(lobby, [eu, us], ways))).toEqual([20, 180]);
  expect([eu, us].map((lobby) => shownWay(lobby, [lobby], ways))).toEqual([undefined, 180]);
  expect(shownWay(eu, [eu, us], {})).toBeUndefined();
});

test('the nearest comes first among lobbies that are alike; all others keep their places', () => {
  const free = aLobby({ ...FREE, region: 'us' });
  const dear = aLobby({ id: 'dear', entryFee: '5', region: 'eu' });
  const list = [free, us, dear, eu];
  expect(nearestFirst(list, { eu: way(20), us: way(180) })).toEqual([free, eu, dear, us]);
  expect(nearestFirst(list, { eu: way(182), us: way(180) })).toEqual(list);
  expect(nearestFirst(list, { us: way(180) })).toEqual(list);
  expect(nearestFirst(list, {})).toEqual(list);
});

let nowMs = 0;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});

test('each region is measured once in a while, and one that does not answer stays unknown', async () => {
  const asked: string[] = [];
  const measure = async (endpoint: string) => {
    asked.push(endpoint);
    return endpoint === 'https://us' ? undefined : 41.6;
  };
  const look = () =>
    measureWays([eu, us, { ...eu, baseGame: 'https://eu-2' }], (one) => one.baseGame ?? '', measure);
  await look();
  expect(asked).toEqual(['https://eu-2', 'https://us']);
  await look();
  expect(asked).toEqual(['https://eu-2', 'https://us', 'https://us']);
  nowMs += MEASURE_EVERY_MS;
  await look();
  expect(asked.slice(3)).toEqual(['https://eu-2', 'https://us']);
  expect(wayTo(us, {})).toBeUndefined();
});
