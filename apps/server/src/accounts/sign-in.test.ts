import { walletAddress } from '@engulf/domain/ids/entity-ids';
import { createSignInMessage } from '@solana/wallet-standard-util';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../platform/context.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { signIn } from './sign-in.ts';

let database: OpenDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a sign-in with a nonce that is not valid text for the database is refused', async () => {
  const context = { db: database.db, logger: pino({ level: 'silent' }), nowMs: () => Date.now() } as Context;
  const address = walletAddress('11111111111111111111111111111111');
  const signedMessage = createSignInMessage({ domain: 'localhost', address, nonce: 'nonce\u0000nonce' });
  expect(await signIn(context, { address, signedMessage, signature: new Uint8Array(64) })).toMatchObject({
    ok: false,
    error: { code: 'SIGN_IN_REFUSED' },
  });
});
