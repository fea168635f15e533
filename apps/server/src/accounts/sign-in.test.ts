import { randomBytes } from 'node:crypto';
import { walletAddress } from '@engulf/domain/ids/entity-ids';
import { generateKeyPairSigner, getBase58Decoder, signBytes } from '@solana/kit';
import { createSignInMessage, verifySignIn } from '@solana/wallet-standard-util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { createNonce, signIn } from './sign-in.ts';

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof import('node:crypto')>();
  return { ...original, randomBytes: vi.fn(original.randomBytes) };
});

let database: OpenDatabase;
let context: Context;
const SITE = { domain: 'localhost', uri: 'http://localhost' };
const REFUSED = { ok: false, error: { code: 'SIGN_IN_REFUSED' } };

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
});
afterAll(() => database.close());

/** What a wallet signs for that address, and whether the library's looser rules accept a signature of it. */
async function newMessage(addressText: string) {
  const address = walletAddress(addressText);
  const input = await createNonce(context, SITE);
  const signedMessage = createSignInMessage({ ...input, address });
  const isAcceptedByLooseRules = (publicKey: Uint8Array, signature: Uint8Array) =>
    verifySignIn(
      { ...input, address },
      { account: { address, publicKey, chains: [], features: [] }, signedMessage, signature },
    );
  return { address, signedMessage, isAcceptedByLooseRules };
}

test('a wallet signs in with its own signature', async () => {
  const wallet = await generateKeyPairSigner();
  const { address, signedMessage } = await newMessage(wallet.address);
  const signature = await signBytes(wallet.keyPair.privateKey, signedMessage);
  expect(await signIn(context, { address, signedMessage, signature })).toMatchObject({ ok: true });
});

test('a newcomer gets another name if the first one is taken', async () => {
  const names: string[] = [];
  const draw = vi.mocked(randomBytes);
  const real = draw.getMockImplementation()!;
  try {
    for (let nth = 0; nth < 2; nth++) {
      const wallet = await generateKeyPairSigner();
      const { address, signedMessage } = await newMessage(wallet.address);
      const signature = await signBytes(wallet.keyPair.privateKey, signedMessage);
      // Each draws the same letters first.
      let draws = 0;
      draw.mockImplementation(((size: number) =>
        size === 5 && draws++ === 0
          ? Buffer.alloc(5, 7)
          : (real as (size: number) => Buffer)(size)) as typeof randomBytes);
      const signedIn = await signIn(context, { address, signedMessage, signature });
      if (signedIn.ok) names.push(signedIn.value.user.name);
    }
  } finally {
    draw.mockImplementation(real);
  }
  expect(names[0]).toBe('cell-kkkkk');
  expect(names[1]).toMatch(/^cell-\w{5}$/);
  expect(names[1]).not.toBe(names[0]);
});

test('a sign-in with a nonce that is not valid text for the database is refused', async () => {
  const address = walletAddress('11111111111111111111111111111111');
  const signedMessage = createSignInMessage({ domain: 'localhost', address, nonce: 'nonce\u0000nonce' });
  expect(await signIn(context, { address, signedMessage, signature: new Uint8Array(64) })).toMatchObject(
    REFUSED,
  );
});

test('a key of small order, for which anybody can sign anything, is refused', async () => {
  const neutral = Uint8Array.of(1, ...new Uint8Array(31));
  const made = await newMessage(getBase58Decoder().decode(neutral));
  const signature = Uint8Array.of(...neutral, ...new Uint8Array(32));
  expect(made.isAcceptedByLooseRules(neutral, signature)).toBe(true);
  expect(await signIn(context, { ...made, signature })).toMatchObject(REFUSED);
});

test('a non-canonical encoding of a key is refused', async () => {
  // The neutral point again, with y + p instead of y.
  const neutral = Uint8Array.of(0xee, ...new Uint8Array(30).fill(0xff), 0x7f);
  const made = await newMessage(getBase58Decoder().decode(neutral));
  const signature = Uint8Array.of(1, ...new Uint8Array(63));
  expect(made.isAcceptedByLooseRules(neutral, signature)).toBe(true);
  expect(await signIn(context, { ...made, signature })).toMatchObject(REFUSED);
});

test('a non-canonical encoding of a signature is refused', async () => {
  const wallet = await generateKeyPairSigner();
  const { address, signedMessage } = await newMessage(wallet.address);
  const signature = Uint8Array.from(await signBytes(wallet.keyPair.privateKey, signedMessage));
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const s = BigInt(`0x${Buffer.from(signature.slice(32)).reverse().toString('hex')}`) + order;
  signature.set(Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse(), 32);
  expect(await signIn(context, { address, signedMessage, signature })).toMatchObject(REFUSED);
});

test.each([2_049, 6_000])('a message of %i bytes is refused without being searched', async (length) => {
  const wallet = await generateKeyPairSigner();
  const { address, signedMessage } = await newMessage(wallet.address);
  const long = Uint8Array.of(...signedMessage, ...new Uint8Array(length - signedMessage.length).fill(10));
  const signature = await signBytes(wallet.keyPair.privateKey, long);
  expect(await signIn(context, { address, signedMessage: long, signature })).toMatchObject(REFUSED);
  // The nonce was not even looked at, so it is still good.
  const right = await signBytes(wallet.keyPair.privateKey, signedMessage);
  expect(await signIn(context, { address, signedMessage, signature: right })).toMatchObject({ ok: true });
});
