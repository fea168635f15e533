import { randomUUID } from 'node:crypto';
import { matchId } from '@engulf/domain/ids/entity-ids';
import { numberedKey, toHex } from '@engulf/sim/keys';
import {
  getAddressEncoder,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SolanaError,
} from '@solana/kit';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { withLog, withNode } from '../../../testing/fake-node.ts';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  type PaidPlayer,
  payEverything,
  payoutDeps,
  settle,
  startPaidServer,
} from '../../../testing/paid-players.ts';
import { payoutsOf } from '../../../testing/players.ts';
import { entries, matches } from '../../platform/database/games.ts';
import { type BatchRow, type PayoutRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import { payLobby } from './pay-lobby.ts';
import { closeBatch, holdPayouts, releasePayouts } from './payout-states.ts';

const { server, context, lobby } = await startPaidServer();
let players: PaidPlayer[];

beforeEach(async () => {
  players = [];
  for (let count = 0; count < 3; count++) players.push(await newPaidPlayer(server, lobby));
  for (const player of players) await settle(context, player);
});

/** Signs a batch whose sending ends in this way, and lets the chain forget it. */
async function loseBatch(send: () => Promise<void>): Promise<BatchRow> {
  await payLobby(context, lobby.id, payoutDeps(context, { send }));
  const batch = await openBatch();
  await context.db.transaction((tx) => closeBatch(context, tx, batch!, { kind: 'expired', asOfSlot: 1n }));
  return batch!;
}

async function openBatch(): Promise<BatchRow | undefined> {
  const rows = await context.db.select().from(payoutBatches).where(eq(payoutBatches.lobbyId, lobby.id));
  return rows.find(({ status }) => status === 'open');
}

const countIn = async (batch: BatchRow | undefined) =>
  (await context.db.select().from(payouts).where(eq(payouts.batchId, batch!.id))).length;

test('the log can be followed from an entry to its payout by one id', async () => {
  const lines: { msg: string; entryId?: string; entryIds?: string[] }[] = [];
  const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
  const logged = { ...context, logger };
  const { entryId } = await newPaidPlayer({ ...server, context: logged }, lobby);
  await settle(logged, { entryId });
  await payEverything(logged, lobby);
  const ofEntry = lines.filter((line) => line.entryId === entryId || line.entryIds?.includes(entryId));
  expect(ofEntry.map(({ msg }) => msg)).toEqual([
    'entry created',
    'payment verified',
    'entry plays',
    'entry settled',
    'payout decided',
  ]);
});

async function payAndCompare(): Promise<void> {
  server.advance(400_000);
  await payEverything(context, lobby);
  for (const { wallet } of players) {
    expect(await payoutsOf(context, wallet)).toMatchObject([{ status: 'completed' }]);
  }
  await expectBooksToMatchTheChain(context, lobby);
}

describe('a batch', () => {
  test('that expired is retried whole', async () => {
    await loseBatch(async () => undefined);
    await payLobby(context, lobby.id, payoutDeps(context));
    expect(await countIn(await openBatch())).toBe(3);
    await payAndCompare();
  });

  test('that expired because nodes refused to forward it is retried in parts', async () => {
    const code = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE;
    const cause = new SolanaError(SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM, { code: 6005, index: 0 });
    await loseBatch(() => Promise.reject(new SolanaError(code, { cause } as never)));
    server.advance(6_000);
    await payLobby(context, lobby.id, payoutDeps(context));
    expect(await countIn(await openBatch())).toBe(1);
    await payAndCompare();
  });

  test('that the chain would refuse is signed without the payout that is to blame', async () => {
    const [bad] = players;
    const { context: refusing, codes } = withLog(
      withNode(context, {
        simulateTransaction: async (real, [wire]) => {
          const answer = await real();
          const isBad = Buffer.from(wire, 'base64').includes(Buffer.from(bytesOf(bad!)));
          const err = { InstructionError: [0, { Custom: 6005 }] };
          return isBad ? { ...answer, value: { ...answer.value, err } } : answer;
        },
      }),
    );
    await payLobby(refusing, lobby.id, payoutDeps(context));
    expect(codes).toEqual(['PAYOUTS_REFUSED']);
    expect(await countIn(await openBatch())).toBe(2);
    expect(await payoutsOf(context, bad!.wallet)).toMatchObject([{ status: 'pending', failedAttempts: 1 }]);
    await payAndCompare();
  });

  test('is not signed if a person holds one of its payouts while it is prepared', async () => {
    const [{ id }] = (await payoutsOf(context, players[0]!.wallet)) as [PayoutRow];
    const held = withNode(context, {
      simulateTransaction: async (real) => {
        const works = await real();
        await holdPayouts(context.db, [id], { reason: 'looks odd', nowMs: context.nowMs() });
        return works;
      },
    });
    await expect(payLobby(held, lobby.id, payoutDeps(held))).rejects.toThrow('is held');
    expect(await openBatch()).toBeUndefined();
    for (const { wallet } of players) {
      expect(await payoutsOf(context, wallet)).toMatchObject([{ status: 'pending', batchId: null }]);
    }
    await payLobby(context, lobby.id, payoutDeps(context));
    expect(await countIn(await openBatch())).toBe(2);
    await releasePayouts(context.db, [id], context.nowMs());
    await payAndCompare();
  });

  test('carries the commitment of every match that it pays, however many wait', async () => {
    for (const [number, { entryId }] of players.entries()) {
      const match = { id: matchId(randomUUID()), lobbyId: lobby.id, heldBy: '', rules: '' };
      const commitment = toHex(numberedKey(number));
      await context.db.insert(matches).values({ ...match, commitment, committedAt: new Date(0) });
      await context.db.update(entries).set({ matchId: match.id }).where(eq(entries.id, entryId));
    }
    await payAndCompare();
    for (const [number, { entryId }] of players.entries()) {
      const [paid] = await context.db
        .select({ description: payoutBatches.description })
        .from(payouts)
        .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
        .where(eq(payouts.entryId, entryId));
      expect(paid!.description).toMatchObject({
        proofs: expect.arrayContaining([Buffer.from(numberedKey(number)).toString('base64url')]),
      });
    }
  });
});

const bytesOf = ({ wallet }: PaidPlayer) => getAddressEncoder().encode(wallet.address);
