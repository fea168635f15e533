import { expect, test } from 'vitest';
import { openGeo } from './geo.ts';

test.each([
  ['5.9.0.1', 'DE'],
  ['8.8.8.8', 'US'],
  ['2a01:4f8::1', 'DE'],
  ['127.0.0.1', undefined],
  ['::1', undefined],
  ['10.1.2.3', undefined],
  ['nonsense', undefined],
])('%s is in %s', async (address, country) => {
  expect((await openGeo()).countryOf(address)).toBe(country);
});
