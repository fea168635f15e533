import { expect, test } from 'vitest';
import { parseRoomOptions } from './options.ts';

test('clients may be named several times', () => {
  const options = parseRoomOptions(['--clients', '10', '--clients', '100', '--seconds', '5']);
  expect(options).toEqual({
    clients: [10, 100],
    rooms: 1,
    processes: 0,
    areBlind: false,
    seconds: 5,
    runs: 1,
    isJson: false,
  });
});

test.each([
  ['--clients', '10,100'],
  ['--clients', '0'],
  ['--clients', '-5'],
  ['--clients', '1e3'],
  ['--clients', '9999'],
  ['--seconds', 'NaN'],
  ['--seconds', ''],
  ['--runs', '1.5'],
  ['--rooms', '11', '--clients', '10'],
  ['--processes', '2', '--rooms', '1'],
  ['--processes', '-1'],
  ['--clinets', '10'],
])('%s %s is refused', (...parameters) => {
  expect(() => parseRoomOptions(parameters)).toThrow(parameters[0]);
});
