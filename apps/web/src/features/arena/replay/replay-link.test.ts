import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReplayLink, replayPath } from './replay-link.ts';

test('a link to a moment leads back to it', () => {
  const moment = fc.record({
    matchId: fc.uuid(),
    seconds: fc.option(
      fc.nat(999_999).map((tenths) => tenths / 10),
      { nil: undefined },
    ),
    player: fc.option(
      fc.oneof(
        fc.uuid(),
        fc.nat().map((id) => `p${id}`),
      ),
      { nil: undefined },
    ),
  });
  fc.assert(
    fc.property(moment, (link) => {
      expect(readReplayLink(new URL(replayPath(link), 'https://engulf.example'))).toEqual(link);
    }),
  );
});

test('an address that names no match is none, and a malformed moment is left out', () => {
  const read = (path: string) => readReplayLink(new URL(path, 'https://engulf.example'));
  expect(read('/replay/')).toBeUndefined();
  expect(read('/replay/..%2f..')).toBeUndefined();
  const matchId = '00000000-0000-4000-8000-000000000001';
  expect(read(`/replay/${matchId}?t=-5&player=<b>`)).toEqual({
    matchId,
    seconds: undefined,
    player: undefined,
  });
  expect(read(`/replay/${matchId}?t=1e9`)?.seconds).toBeUndefined();
});
