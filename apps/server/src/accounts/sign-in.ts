import { randomBytes, randomUUID } from 'node:crypto';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { userId, type WalletAddress } from '@engulf/domain/ids/entity-ids';
import { createSignInMessage } from '@solana/wallet-standard-util';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type SignInInput, signInNonces, type UserRow, users } from '../platform/database/people.ts';
import { openSession } from './sessions.ts';
import { isStrictlySigned } from './strict-signature.ts';

/** Longer than any message we ask for. */
const MAX_MESSAGE_BYTES = 2_048;
const NONCE_LINE = /\nNonce: ([0-9a-f]{32})\n/;
const NONCE_TTL_MS = 5 * 60 * 1000;
const STATEMENT = 'Sign in to Engulf. This does not send a transaction and costs nothing.';

/** What the wallet is asked to sign. Stored whole, so that the answer can be compared with what was asked. */
export async function createNonce(
  context: Pick<Context, 'db' | 'chain' | 'nowMs'>,
  site: { readonly domain: string; readonly uri: string },
): Promise<SignInInput> {
  const nowMs = context.nowMs();
  const expiresAt = new Date(nowMs + NONCE_TTL_MS);
  const input: SignInInput = {
    ...site,
    version: '1',
    chainId: context.chain.mode === 'embedded' ? 'solana:localnet' : 'solana:mainnet',
    nonce: randomBytes(16).toString('hex'),
    issuedAt: new Date(nowMs).toISOString(),
    expirationTime: expiresAt.toISOString(),
    statement: STATEMENT,
  };
  await context.db.delete(signInNonces).where(lte(signInNonces.expiresAt, new Date(nowMs)));
  await context.db.insert(signInNonces).values({ nonce: input.nonce, input, expiresAt });
  return input;
}

export type SignedIn = {
  readonly user: UserRow;
  readonly token: string;
};

/** A nonce is consumed on first use, valid or not. */
export async function signIn(
  context: Pick<Context, 'db' | 'nowMs'>,
  answer: {
    readonly address: WalletAddress;
    readonly signedMessage: Uint8Array;
    readonly signature: Uint8Array;
  },
): Promise<Result<SignedIn, Failure<'SIGN_IN_REFUSED' | 'USER_BANNED'>>> {
  const asked = await takeNonce(context, readNonce(answer.signedMessage));
  if (!asked || !isSignedBy(answer, asked)) return refuse('SIGN_IN_REFUSED');
  return context.db.transaction(async (tx) => {
    const user = await findOrCreateUser(tx, answer.address);
    if (user.bannedAt !== null) return refuse('USER_BANNED');
    return ok({ user, token: await openSession(context, tx, user.id) });
  });
}

/** The limit comes first: some patterns take long on a long text. */
function readNonce(message: Uint8Array): string | undefined {
  if (message.length > MAX_MESSAGE_BYTES) return undefined;
  return NONCE_LINE.exec(new TextDecoder().decode(message))?.[1];
}

async function takeNonce(
  context: Pick<Context, 'db' | 'nowMs'>,
  nonce: string | undefined,
): Promise<SignInInput | undefined> {
  if (nonce === undefined) return undefined;
  const [taken] = await context.db
    .delete(signInNonces)
    .where(and(eq(signInNonces.nonce, nonce), gt(signInNonces.expiresAt, new Date(context.nowMs()))))
    .returning();
  return taken?.input;
}

function isSignedBy(
  { address, signedMessage, signature }: Parameters<typeof signIn>[1],
  asked: SignInInput,
): boolean {
  const message = createSignInMessage({ ...asked, address });
  if (!Buffer.from(message).equals(signedMessage)) return false;
  return isStrictlySigned(address, message, signature);
}

async function findOrCreateUser(tx: Database, walletAddress: WalletAddress): Promise<UserRow> {
  for (;;) {
    const id = userId(randomUUID());
    await tx.insert(users).values({ id, walletAddress, name: firstName() }).onConflictDoNothing();
    const [user] = await tx.select().from(users).where(eq(users.walletAddress, walletAddress));
    if (user) return user;
    // The name is taken.
  }
}

const NAME_LETTERS = 'bcdfghjkmnpqrstvwxz23456789';

/** The name until the player chooses one. It has no vowels, so that it spells no word. */
function firstName(): string {
  const letters = [...randomBytes(5)].map((byte) => NAME_LETTERS[byte % NAME_LETTERS.length]);
  return `cell-${letters.join('')}`;
}
