import { readFileSync } from 'node:fs';
import { createWorld } from '@engulf/sim/create-world';
import { keysOfRecording, toHex } from '@engulf/sim/keys';
import { readFrame } from '@engulf/sim/recording/frames';
import { readHeader } from '@engulf/sim/recording/header';
import { hashState, saveWorld } from '@engulf/sim/snapshot';
import { expect, test } from 'vitest';
import { formatVectors, VECTORS_FILE, vectorsText } from './testing/format-vectors.ts';
import { freeMatch } from './testing/free-vectors.ts';

test('the examples of docs/recording-format.md are what the code computes', async () => {
  expect(readFileSync(VECTORS_FILE, 'utf8')).toBe(vectorsText(await formatVectors()));
});

test('the free match of the examples is read as they say', () => {
  const written = freeMatch();
  const bytes = Uint8Array.from(Buffer.from(written.frame, 'hex'));
  const read = readFrame(bytes, 0);
  if (!read.ok) throw new Error(read.error.problem);
  const { frame, next } = read.value;
  expect(next).toBe(bytes.length);
  expect(toHex(frame.chain)).toBe(written.chain);
  const header = readHeader(frame.packed, frame.version);
  if (!header.ok) throw new Error(header.error.problem);
  const { commitment, publicPart, rules, rulesText, bond, ...about } = header.value;
  expect(publicPart).toBeNull();
  expect({
    ...about,
    ...bond,
    commitment: toHex(commitment),
    slot: null,
    blockhash: null,
    rulesCharacters: rulesText.length,
  }).toEqual(written.header);
  const keyOf = keysOfRecording(header.value, Uint8Array.from(Buffer.from(written.secret.secret, 'hex')));
  expect(written.keys.map(({ epoch }) => toHex(keyOf(epoch)))).toEqual(written.keys.map(({ key }) => key));
  expect(toHex(hashState(saveWorld(createWorld({ key: keyOf, rules }))))).toBe(written.startStateHash);
});
