import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatVectors, VECTORS_FILE, vectorsText } from './testing/format-vectors.ts';

test('the examples of docs/recording-format.md are what the code computes', async () => {
  expect(readFileSync(VECTORS_FILE, 'utf8')).toBe(vectorsText(await formatVectors()));
});
