import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { withLog } from '../../../testing/fake-node.ts';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  type PaidPlayer,
  payoutDeps,
  STAKE,
  settle,
} from '../../../testing/paid-players.ts';
import { payoutsOf } from '../../../testing/players.ts';
import { startTestServer, type TestServer } from '../../../testing/test-server.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import { readConfig } from '../../platform/config/config.ts';
import type { Context } from '../../platform/context.ts';
import { payoutBatches, signerLog } from '../../platform/database/money.ts';
import { readSignerFunds } from '../signer-funds.ts';
import { lobbiesThatOwe, payLobby } from './pay-lobby.ts';
import { releasePayouts } from './payout-states.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;
let players: PaidPlayer[];

beforeAll(async () => {
  server = await startTestServer();
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

beforeEach(async () => {
  context = server.afterRestart();
  await context.db.delete(signerLog);
  players = [];
  for (let count = 0; count < 3; count++) players.push(await newPaidPlayer(server, lobby));
});

const forfeit = (player: PaidPlayer, amount: bigint) => settle(context, player, { kind: 'forfeit', amount });

const limitsOf = (payout: string, lobbyHour: string, hour = lobbyHour) =>
  readConfig({
    PAYOUT_LIMIT_SOL: payout,
    PAYOUT_LIMIT_LOBBY_HOUR_SOL: lobbyHour,
    PAYOUT_LIMIT_HOUR_SOL: hour,
  }).payouts;

/** Pays as the worker does, until this many payouts of the players are completed. */
async function payUntil(completed: number, limits: ReturnType<typeof limitsOf>, by = context) {
  await expect
    .poll(
      async () => {
        // A new one each time, as after a restart.
        await payLobby(by, lobby.id, payoutDeps(by, {}, limits));
        return countCompleted();
      },
      { timeout: 40_000 },
    )
    .toBe(completed);
}

async function countCompleted(): Promise<number> {
  const rows = await Promise.all(players.map(({ wallet }) => payoutsOf(context, wallet)));
  return rows.flat().filter(({ status }) => status === 'completed').length;
}

describe('a payout over a limit', () => {
  test('is held until a person releases it, and the others are paid', async () => {
    const [large, ...small] = players;
    await forfeit(large!, STAKE);
    for (const player of small) await forfeit(player, STAKE / 2n);
    const limits = limitsOf('0.03', '1');
    const { context: watched, codes } = withLog(context);
    await payUntil(2, limits, watched);
    expect(codes).toContain('PAYOUT_HELD');
    const [held] = await payoutsOf(context, large!.wallet);
    expect(held).toMatchObject({ status: 'pending', holdReason: 'over the limit of a payout' });
    expect(await lobbiesThatOwe(context)).toEqual([]);
    await context.db.transaction((tx) => releasePayouts(tx, [held!.id], context.nowMs()));
    await payUntil(3, limits);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('that was released before its signer knows of it is tried again, and not held a second time', async () => {
    const [large] = players;
    await forfeit(large!, STAKE);
    const limits = limitsOf('0.03', '1');
    await payLobby(context, lobby.id, payoutDeps(context, {}, limits));
    const [held] = await payoutsOf(context, large!.wallet);
    await context.db.transaction((tx) => releasePayouts(tx, [held!.id], context.nowMs()));
    const excess = [{ payoutId: held!.id, limit: 'payout' as const }];
    const sign = async () => ({ kind: 'refused', reason: 'over-limit', excess }) as const;
    const signer = { ...payoutDeps(context).signer, sign };
    const { context: watched, codes } = withLog(context);
    await payLobby(watched, lobby.id, payoutDeps(watched, { signer }, limits));
    expect(codes).toContain('PAYOUT_AWAITS_SIGNER');
    expect(codes).not.toContain('PAYOUT_HELD');
    expect((await payoutsOf(context, large!.wallet))[0]).toMatchObject({ status: 'pending', heldAt: null });
    server.advance(61_000);
    await payUntil(1, limits);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('per hour waits for its hour, which a restart does not shorten', async () => {
    for (const player of players) await forfeit(player, STAKE);
    const limits = limitsOf('0.05', '0.1');
    const { context: watched, codes } = withLog(context);
    await payUntil(2, limits, watched);
    expect(codes).toContain('PAYOUT_LIMIT_REACHED');
    expect(codes).not.toContain('PAYOUT_HELD');
    for (const minutes of [6, 6]) {
      server.advance(minutes * 60_000);
      context = server.afterRestart();
      for (let round = 0; round < 5; round++)
        await payLobby(context, lobby.id, payoutDeps(context, {}, limits));
      expect(await countCompleted()).toBe(2);
    }
    server.advance(3_600_000);
    await payUntil(3, limits);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('that expired does not count against the limit of its successor', async () => {
    for (const player of players) await forfeit(player, STAKE);
    const limits = limitsOf('0.05', '0.15');
    await payLobby(context, lobby.id, payoutDeps(context, { send: async () => undefined }, limits));
    await context.db
      .update(payoutBatches)
      .set({ lastValidBlockHeight: 0n })
      .where(eq(payoutBatches.lobbyId, lobby.id));
    await payUntil(3, limits);
    await expectBooksToMatchTheChain(context, lobby);
  });
});

test('the super admin who can pay for few more claims raises an alarm', async () => {
  const { context: watched, codes } = withLog(context);
  const price = { maxPriorityFeeLamports: 995_000n };
  const { lamports, claimsLeft } = await readSignerFunds(watched, { ...price, lowClaims: 0 });
  expect(codes).toEqual([]);
  expect(BigInt(claimsLeft)).toBe(lamports / 1_000_000n);
  await readSignerFunds(watched, { ...price, lowClaims: claimsLeft + 1 });
  expect(codes).toEqual(['SIGNER_FUNDS_LOW']);
});
