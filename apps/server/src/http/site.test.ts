import { expect, test } from 'vitest';
import type { Config } from '../platform/config/config.ts';
import { describeSite } from './site.ts';

const siteOf = (publicUrl: string | undefined, isProduction: boolean, isConsoleOn = false) => {
  const console = { isOn: isConsoleOn, url: new URL('https://console.example') };
  return describeSite({ publicUrl: publicUrl && new URL(publicUrl), isProduction, console } as Config, 3000);
};

test.each([
  ['https://play.example', true],
  ['http://play.example', false],
  ['https://play.example:8443', false],
  ['https://evil.example', false],
  ['https://play.example.evil.example', false],
  ['null', false],
  ['', false],
])('a page from %j may call us at https://play.example: %s', (origin, isOwn) => {
  expect(siteOf('https://play.example', true).isOwnOrigin(origin)).toBe(isOwn);
});

test.each([
  ['http://localhost:5173', true],
  ['http://127.0.0.1:3000', true],
  ['https://localhost:3000', false],
  ['http://192.168.0.2:3000', false],
])('a page from %j may call a server of development: %s', (origin, isOwn) => {
  expect(siteOf(undefined, false).isOwnOrigin(origin)).toBe(isOwn);
});

test('the console signs in under its own name, where it is on', () => {
  const domain = (isOn: boolean) =>
    siteOf('https://play.example', true, isOn).domainFor('console.example').domain;
  expect(domain(true)).toBe('console.example');
  expect(domain(false)).toBe('play.example');
  expect(siteOf('https://play.example', true, true).isOwnOrigin('https://console.example')).toBe(true);
  expect(siteOf('https://play.example', true).isOwnOrigin('https://console.example')).toBe(false);
});
