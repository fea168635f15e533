import { expect, test } from 'vitest';
import { createInputsKey, findInputsKey } from './inputs-keys.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    read: (key: string) => values.get(key),
    write: (key: string, value: string) => void values.set(key, value),
    remove: (key: string) => void values.delete(key),
  };
}

test('a key is found again by its public half, after a reload as well, and its signatures are valid', async () => {
  const at = memory();
  const [first, second] = [await createInputsKey(at), await createInputsKey(at)];
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).not.toBe(first);
  const key = await findInputsKey(first!, at);
  const bytes = Uint8Array.of(1, 2, 3);
  const signature = await crypto.subtle.sign('Ed25519', key!, bytes);
  const raw = Uint8Array.from(first!.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  const publicKey = await crypto.subtle.importKey('raw', raw, 'Ed25519', false, ['verify']);
  expect(await crypto.subtle.verify('Ed25519', publicKey, signature, bytes)).toBe(true);
});

test('the oldest keys are forgotten, and one of another browser or of damaged storage is none', async () => {
  const at = memory();
  const first = await createInputsKey(at);
  for (let more = 0; more < 20; more++) await createInputsKey(at);
  expect(await findInputsKey(first!, at)).toBeUndefined();
  expect(await findInputsKey('ab'.repeat(32), at)).toBeUndefined();
  for (const stored of ['{', '7', '[null]', `[{"publicHex":"${first}","pkcs8":"00"}]`]) {
    at.write('inputsKeys', stored);
    expect(await findInputsKey(first!, at)).toBeUndefined();
  }
});
