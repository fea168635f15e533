import { randomUUID } from 'node:crypto';
import {
  type EntryId,
  type LobbyId,
  matchId,
  type TransactionSignature,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import { numberedKey, toHex } from '@engulf/sim/keys';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { insertPlayingEntry } from '../../../testing/game-host/ledger-lobby.ts';
import { newPaidLobby } from '../../../testing/new-lobby.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { recordPayment } from '../../payments/decide-payment.ts';
import type { Context } from '../../platform/context.ts';
import { entries, matches, payments } from '../../platform/database/games.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { batchSchema } from '../signer/signer.ts';
import { chooseProven } from './match-proofs.ts';

let database: OpenDatabase;
let context: Context;
let lobbyId: LobbyId;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
  lobbyId = (await newPaidLobby(database.db)).id;
});
afterAll(() => database.close());

async function entryOf(number: number, finalHash: string | null) {
  const id = matchId(randomUUID());
  const commitment = toHex(numberedKey(number));
  const match = { id, lobbyId, heldBy: 'here', committedAt: new Date(0), commitment, rules: '', finalHash };
  await context.db.insert(matches).values(match);
  const entryId = await insertPlayingEntry(context, lobbyId, 5n);
  await context.db.update(entries).set({ matchId: id }).where(eq(entries.id, entryId));
  return { entryId };
}

const compact = (number: number) => Buffer.from(numberedKey(number)).toString('base64url');

test('a batch of payouts names the commitment and, after the end, the final hash of its matches', async () => {
  const running = await entryOf(1, null);
  const ended = await entryOf(2, toHex(numberedKey(3)));
  const proofs = { running: compact(1), ended: `${compact(2)}:${compact(3)}` };
  expect((await chooseProven(context, [running])).proofs).toEqual([proofs.running]);
  expect((await chooseProven(context, [ended, ended])).proofs).toEqual([proofs.ended]);
  expect((await chooseProven(context, [running, ended])).proofs).toEqual([proofs.running, proofs.ended]);
});

test('payouts of a third match wait for another batch, and those of the first two do not', async () => {
  const of: { entryId: EntryId }[] = [];
  for (const number of [4, 5, 6]) of.push(await entryOf(number, null));
  const due = [of[1]!, of[2]!, of[0]!, { entryId: null }, of[1]!];
  expect(await chooseProven(context, due)).toEqual({
    proofs: [compact(5), compact(6)],
    proven: [of[1], of[2], { entryId: null }, of[1]],
  });
});

test('a refund of a payment that gave no seat names the payment, and a fifth one waits', async () => {
  const due: { entryId: null; paymentId: string }[] = [];
  for (const letter of 'abcde') {
    const signature = letter.repeat(88) as TransactionSignature;
    const key = { signature, lobbyId, wallet: walletAddress('1'.repeat(32)), nth: 0 };
    const { id } = await context.db.transaction((tx) => recordPayment(tx, key, null));
    due.push({ entryId: null, paymentId: id });
  }
  const named = [...'abcd'].map((letter) => letter.repeat(12)).join(',');
  const chosen = await chooseProven(context, due);
  expect(chosen).toEqual({ proofs: [`refund:${named}`], proven: due.slice(0, 4) });
  expect(batchSchema.shape.proofs.safeParse(chosen.proofs).success).toBe(true);
  const unclaimed = { entryId: await insertPlayingEntry(context, lobbyId, 5n) };
  const signature = 'f'.repeat(88) as TransactionSignature;
  const wallet = walletAddress('1'.repeat(32));
  const key = { signature, lobbyId, wallet, nth: 0 };
  const { id } = await context.db.transaction((tx) => recordPayment(tx, key, unclaimed.entryId));
  await context.db.update(payments).set({ status: 'verified' }).where(eq(payments.id, id));
  expect((await chooseProven(context, [unclaimed])).proofs).toEqual([`refund:${'f'.repeat(12)}`]);
  const others = [await entryOf(7, null), await entryOf(8, null)];
  expect((await chooseProven(context, [...others, due[0]!])).proven).toEqual(others);
});
