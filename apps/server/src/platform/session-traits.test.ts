import { expect, test } from 'vitest';
import { readTraits } from './session-traits.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.7339.80 Safari/537.36';

test('traits are coarse: neither a version nor a second language is among them', () => {
  const traits = (agent: string, languages: string) =>
    readTraits({ 'user-agent': agent, 'accept-language': languages });
  expect(traits(CHROME, 'de-AT,de;q=0.9,en;q=0.8')).toBe('chrome windows de');
  expect(traits(`${CHROME} Edg/140.0`, 'EN')).toBe('edge windows en');
  expect(traits('curl/8', '*')).toBe('other other other');
  expect(readTraits({ 'user-agent': CHROME })).toBeUndefined();
});
