import { expect, test } from 'vitest';
import { parseLoadOptions } from './options.ts';

test('without options it is a small load on a server of its own', () => {
  expect(parseLoadOptions([])).toEqual({
    players: 20,
    minutes: 2,
    url: undefined,
    accessCode: '',
    seed: 1,
    shape: undefined,
    seconds: 30,
    processes: undefined,
  });
});

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://127.9.8.7', 'http://[::1]:3000'])(
  '%s is this machine',
  (url) => {
    expect(parseLoadOptions(['--url', `${url}/menu?x`]).url).toBe(url);
  },
);

test.each([
  'https://play.example.com',
  'http://192.168.0.7:3000',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://127.0.0.1@example.com',
])('%s is not, and needs a word', (url) => {
  expect(() => parseLoadOptions(['--url', url])).toThrow('--yes-i-own-this-server');
  expect(parseLoadOptions(['--url', url, '--yes-i-own-this-server']).url).toBe(new URL(url).origin);
});

test.each([
  ['--players', '0'],
  ['--players', '501'],
  ['--players', '2.5'],
  ['--players', '1e2'],
  ['--minutes', '-1'],
  ['--processes', '65'],
  ['--minutes', '121'],
  ['--minutes', 'NaN'],
  ['--url', 'ftp://localhost'],
  ['--url', 'localhost:3000'],
  ['--playres', '3'],
])('%s %s is refused', (...parameters) => {
  expect(() => parseLoadOptions(parameters)).toThrow(parameters[0]);
});
