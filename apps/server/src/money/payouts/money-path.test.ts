import { awaitFinality } from '@engulf/chain/await-finality';
import { findTokenAccount } from '@engulf/chain/pdas';
import { tokenProgramOf } from '@engulf/chain/reward-payees';
import { signForSending } from '@engulf/chain/signed-transaction';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import {
  AccountRole,
  appendTransactionMessageInstructions,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { UserRow } from '../../accounts/user-rows.ts';
import { recoverEntries } from '../../entries/recover-entries.ts';
import type { EntryOutcome } from '../../game/ports.ts';
import { startHeartbeat } from '../../game-host/game-processes.ts';
import { createMoneyLanes } from '../../game-host/money-lanes.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { gameProcesses } from '../../platform/database/games.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import { readLeaderboard, readRank } from '../../stats/leaderboard.ts';
import {
  createUser,
  enter,
  lamportsOf,
  newestEntry,
  pay,
  payoutsOf,
  poolOnChain,
} from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { auditLedger } from '../ledger/audit.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import { payLobby, type SendTransaction, sendThrough } from './pay-lobby.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;
const STAKE = 47_500_000n;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

/** Whatever a test did, no lamport may have been made or lost. */
async function expectBooksToMatchTheChain(): Promise<void> {
  const { faults, lobbies } = await auditLedger(context.db);
  expect(faults).toEqual([]);
  const books = lobbies.find(({ lobbyId }) => lobbyId === lobby.id);
  expect(books?.pool ?? 0n).toBe(await poolOnChain(context, lobby));
}

type Player = {
  readonly wallet: KeyPairSigner;
  readonly user: UserRow;
  readonly entryId: EntryId;
};

async function newPlayer(): Promise<Player> {
  const wallet = await server.newWallet();
  const user = await createUser(context, wallet);
  return { wallet, user, entryId: await enter(context, user, wallet, lobby) };
}

async function settle(player: Player, outcome: EntryOutcome) {
  return createMoneyLanes(context).settleEntry(lobby.id, player.entryId, outcome);
}

/** The worker's loop, until nothing is left to pay. */
async function payEverything(send: SendTransaction = sendThrough(context)): Promise<void> {
  for (let round = 0; round < 400; round++) {
    await payLobby(context, lobby.id, send);
    const open = await context.db.select().from(payouts).where(eq(payouts.status, 'processing'));
    const waiting = await context.db.select().from(payouts).where(eq(payouts.status, 'pending'));
    if (open.length === 0 && waiting.length === 0) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('The payouts did not come to an end');
}

describe('a bounty on its way home', () => {
  test('goes from the eaten to the eater and through the portal to the wallet, to the lamport', async () => {
    const [eater, prey] = [await newPlayer(), await newPlayer()];
    expect(await poolOnChain(context, lobby)).toBe(2n * STAKE);
    const lanes = createMoneyLanes(context);
    lanes.recordBountyMoves(lobby.id, [
      { from: prey.entryId, to: eater.entryId, amount: 12_345n },
      { from: prey.entryId, to: eater.entryId, amount: STAKE - 12_345n },
    ]);
    const killed = lanes.settleEntry(lobby.id, prey.entryId, { kind: 'killed', amount: 0n, massMilli: 0 });
    const before = await lamportsOf(context, eater.wallet);
    const cashout = await lanes.settleEntry(lobby.id, eater.entryId, {
      kind: 'cashout',
      amount: 2n * STAKE,
      massMilli: 90_000,
    });
    expect(await killed).toEqual({ amount: 0n, isNew: true });
    expect(cashout).toEqual({ amount: 2n * STAKE, isNew: true });
    await payEverything();
    expect(await lamportsOf(context, eater.wallet)).toBe(before + 2n * STAKE);
    expect(await poolOnChain(context, lobby)).toBe(0n);
    const [payout] = await payoutsOf(context, eater.wallet);
    expect(payout).toMatchObject({ amount: 2n * STAKE, isRefund: false, status: 'completed' });
    const [ranked] = await readLeaderboard(context, LEADERBOARD_PERIODS[0]);
    expect(ranked).toMatchObject({
      _id: eater.user.id,
      totalWinningAmount: '95000000',
      totalWinningText: '0.095',
    });
    expect(await readRank(context, eater.user.id)).toBe(1);
    expect(await readRank(context, prey.user.id)).toBeNull();
    await expectBooksToMatchTheChain();
  });

  test('is settled once, however often and however differently the room asks', async () => {
    const player = await newPlayer();
    const outcomes: EntryOutcome[] = [
      { kind: 'cashout', amount: STAKE, massMilli: 40_000 },
      { kind: 'cashout', amount: STAKE, massMilli: 40_000 },
      { kind: 'forfeit', amount: 1n, massMilli: 40_000 },
    ];
    const settlements = await Promise.all(outcomes.map((outcome) => settle(player, outcome)));
    expect(settlements.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(new Set(settlements.map(({ amount }) => amount)).size).toBe(1);
    expect(await payoutsOf(context, player.wallet)).toHaveLength(1);
    await payEverything();
    await expectBooksToMatchTheChain();
  });

  test('never grants more than the ledger holds, whatever the room says', async () => {
    const player = await newPlayer();
    const { amount } = await settle(player, { kind: 'forfeit', amount: 10n * STAKE, massMilli: 40_000 });
    expect(amount).toBe(STAKE);
    await payEverything();
    await expectBooksToMatchTheChain();
  });

  test('spills what a leaver forfeits, and the next living player can have it', async () => {
    const [leaver, stayer] = [await newPlayer(), await newPlayer()];
    const lanes = createMoneyLanes(context);
    const left = lanes.settleEntry(lobby.id, leaver.entryId, {
      kind: 'forfeit',
      amount: 20_000_000n,
      massMilli: 16_000,
    });
    lanes.recordBountyMoves(lobby.id, [{ from: 'spill', to: stayer.entryId, amount: STAKE - 20_000_000n }]);
    expect((await left).amount).toBe(20_000_000n);
    const { amount } = await lanes.settleEntry(lobby.id, stayer.entryId, {
      kind: 'cashout',
      amount: 2n * STAKE - 20_000_000n,
      massMilli: 50_000,
    });
    expect(amount).toBe(2n * STAKE - 20_000_000n);
    await payEverything();
    expect((await payoutsOf(context, leaver.wallet))[0]).toMatchObject({
      amount: 20_000_000n,
      isRefund: true,
    });
    await expectBooksToMatchTheChain();
  });

  test('refuses moves of money that is not there, and the books stay right', async () => {
    const [rich, poor] = [await newPlayer(), await newPlayer()];
    const lanes = createMoneyLanes(context);
    lanes.recordBountyMoves(lobby.id, [{ from: poor.entryId, to: rich.entryId, amount: STAKE + 1n }]);
    await lanes.drain();
    expect((await settle(poor, { kind: 'closed', amount: STAKE, massMilli: 1 })).amount).toBe(STAKE);
    expect((await settle(rich, { kind: 'closed', amount: STAKE, massMilli: 1 })).amount).toBe(STAKE);
    await payEverything();
    await expectBooksToMatchTheChain();
  });

  test('comes back whole to everyone alive when the process dies in the middle of a match', async () => {
    const players = [await newPlayer(), await newPlayer(), await newPlayer()] as const;
    const lanes = createMoneyLanes(context);
    lanes.recordBountyMoves(lobby.id, [
      { from: players[0].entryId, to: players[1].entryId, amount: 7_000_000n },
    ]);
    await lanes.drain();
    const before = await Promise.all(players.map(({ wallet }) => lamportsOf(context, wallet)));
    const heartbeat = await startHeartbeat(context);
    expect(await recoverEntries(server.afterRestart())).toBe(0);
    await heartbeat.stop();
    // What a process leaves behind that was killed some time ago.
    const seenAt = new Date(context.nowMs() - 21_000);
    await context.db.insert(gameProcesses).values({ id: context.processId, seenAt });
    expect(await recoverEntries(server.afterRestart())).toBe(3);
    expect(await recoverEntries(server.afterRestart())).toBe(0);
    await payEverything();
    const after = await Promise.all(players.map(({ wallet }) => lamportsOf(context, wallet)));
    expect(after.map((lamports, index) => lamports - before[index]!)).toEqual([
      STAKE - 7_000_000n,
      STAKE + 7_000_000n,
      STAKE,
    ]);
    expect(await newestEntry(context, players[0].user)).toMatchObject({ state: 'ended', outcome: 'fault' });
    await expectBooksToMatchTheChain();
  });
});

describe('a payout that the chain would refuse', () => {
  test('waits until its wallet can receive so little, and holds nobody up', async () => {
    const [empty, other] = [await newPlayer(), await newPlayer()];
    await giveAwayAll(empty.wallet, other.wallet);
    await settle(empty, { kind: 'forfeit', amount: 500_000n, massMilli: 400 });
    await settle(other, { kind: 'cashout', amount: STAKE, massMilli: 40_000 });
    for (let round = 0; round < 40; round++) {
      await payLobby(context, lobby.id, sendThrough(context));
      await new Promise((done) => setTimeout(done, 50));
    }
    expect(await payoutsOf(context, other.wallet)).toMatchObject([{ status: 'completed' }]);
    expect(await payoutsOf(context, empty.wallet)).toMatchObject([{ status: 'pending', amount: 500_000n }]);
    await server.chain.test!.fund(empty.wallet.address, { lamports: 1_000_000n });
    server.advance(61_000);
    await payEverything();
    expect(await lamportsOf(context, empty.wallet)).toBe(1_500_000n);
    await expectBooksToMatchTheChain();
  });

  test('waits as a refund until its wallet has a token account, which nobody buys for it', async () => {
    const tank = await server.lobby('Gulp Tank');
    const wallet = await server.newWallet({ lamports: 1_000_000_000n, tokens: tank.entryFee });
    await pay(context, wallet, tank);
    const mint = server.chain.test!.token.mint;
    const tokenProgram = await tokenProgramOf(context.chain.rpc, mint);
    const account = await findTokenAccount({ owner: wallet.address, mint, tokenProgram });
    const CLOSE_ACCOUNT = 9;
    await sendFrom(wallet, {
      programAddress: tokenProgram,
      accounts: [
        { address: account, role: AccountRole.WRITABLE },
        { address: wallet.address, role: AccountRole.WRITABLE },
        { address: wallet.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(CLOSE_ACCOUNT),
    });
    await reconcileLobby(context, tank.id);
    await payLobby(context, tank.id, sendThrough(context));
    expect(await payoutsOf(context, wallet)).toMatchObject([
      { status: 'pending', notBefore: expect.any(Date) },
    ]);
    await server.chain.test!.fund(wallet.address, { tokens: 1n });
    server.advance(61_000);
    await expect
      .poll(
        async () => {
          await payLobby(context, tank.id, sendThrough(context));
          return payoutsOf(context, wallet);
        },
        { timeout: 10_000 },
      )
      .toMatchObject([{ status: 'completed' }]);
  });

  async function giveAwayAll(from: KeyPairSigner, to: KeyPairSigner): Promise<void> {
    const fee = 5_000n;
    const amount = (await lamportsOf(context, from)) - fee;
    await sendFrom(from, getTransferSolInstruction({ source: from, destination: to.address, amount }));
    expect(await lamportsOf(context, from)).toBe(0n);
  }

  async function sendFrom(payer: KeyPairSigner, instruction: Instruction): Promise<void> {
    const { rpc } = server.chain;
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const signed = await signForSending(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions([instruction], message),
      ),
    );
    await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
    await awaitFinality({ rpc, ...signed, pollMs: 20 });
  }
});

describe('a payout that is cut off', () => {
  let player: Player;
  let before: bigint;

  beforeEach(async () => {
    player = await newPlayer();
    await settle(player, { kind: 'cashout', amount: STAKE, massMilli: 40_000 });
    before = await lamportsOf(context, player.wallet);
  });

  const batchesOf = async () => {
    const rows = await context.db.select().from(payoutBatches).where(eq(payoutBatches.lobbyId, lobby.id));
    return rows.filter(({ status }) => status === 'open');
  };

  test('between writing down and sending is sent after the restart, with the same signature', async () => {
    await payLobby(context, lobby.id, () => Promise.reject(new Error('killed')));
    const [written] = await batchesOf();
    expect(written).toBeDefined();
    context = server.afterRestart();
    await payEverything();
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    const [payout] = await payoutsOf(context, player.wallet);
    expect(payout).toMatchObject({ status: 'completed', batchId: written!.id });
    await expectBooksToMatchTheChain();
  });

  test('after sending is found on the chain and not signed again', async () => {
    let sent = 0;
    await payLobby(context, lobby.id, async (wire) => {
      await sendThrough(context)(wire);
      sent++;
      throw new Error('killed before the answer');
    });
    context = server.afterRestart();
    await payEverything();
    expect(sent).toBe(1);
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    await expectBooksToMatchTheChain();
  });

  test('is signed anew only when the old one can no longer land', async () => {
    const lost: string[] = [];
    await payLobby(context, lobby.id, async (wire) => {
      lost.push(wire);
    });
    const [first] = await batchesOf();
    // Never sent again either: it has to expire, 150 blocks later.
    while ((await batchesOf())[0]?.id === first!.id) {
      await payLobby(context, lobby.id, async (wire) => {
        lost.push(wire);
      });
      await new Promise((done) => setTimeout(done, 200));
    }
    const [waiting] = await payoutsOf(context, player.wallet);
    expect(waiting).toMatchObject({ status: 'pending', failedAttempts: 1, notBefore: expect.any(Date) });
    server.advance(5_000);
    await payEverything();
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    const [payout] = await payoutsOf(context, player.wallet);
    expect(payout!.batchId).not.toBe(first!.id);
    await expectBooksToMatchTheChain();
  });

  test('is not signed anew because a node forgot it, even if a new payment hides what it took', async () => {
    const pool = await poolOnChain(context, lobby);
    await payLobby(context, lobby.id, sendThrough(context));
    const [landed] = await batchesOf();
    await awaitFinality({
      rpc: context.chain.rpc,
      signature: landed!.signature as string as Signature,
      lastValidBlockHeight: landed!.lastValidBlockHeight,
      pollMs: 20,
    });
    await pay(context, await server.newWallet(), lobby);
    expect(await poolOnChain(context, lobby)).toBe(pool);
    await payLobby(withForgetfulNode(landed!.signature), lobby.id, sendThrough(context));
    expect(await batchesOf()).toMatchObject([{ id: landed!.id }]);
    await payEverything();
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    await expectBooksToMatchTheChain();
  });

  /** One that was restored from a snapshot: it knows every account, and not how it came to that. */
  function withForgetfulNode(forgotten: string): Context {
    const { chain } = context;
    const node = chain.rpc;
    const answer = (send: () => Promise<unknown>) => ({ send });
    const answers = {
      getBlockHeight: () => answer(async () => 1_000_000n),
      getSignatureStatuses: () => answer(async () => ({ context: { slot: 1n }, value: [null] })),
      getTransaction: (...params: Parameters<typeof node.getTransaction>) =>
        answer(async () => (params[0] === forgotten ? null : node.getTransaction(...params).send())),
      getSignaturesForAddress: (...params: Parameters<typeof node.getSignaturesForAddress>) =>
        answer(async () =>
          (await node.getSignaturesForAddress(...params).send()).filter(
            (listed) => listed.signature !== forgotten,
          ),
        ),
    };
    const rpc = new Proxy(node, {
      get: (_, method) => Reflect.get(method in answers ? answers : node, method),
    });
    return { ...context, chain: { ...chain, rpc } };
  }

  test('is paid once by two workers that start at the same moment', async () => {
    await Promise.all([
      payLobby(context, lobby.id, sendThrough(context)),
      payLobby(server.afterRestart(), lobby.id, sendThrough(context)),
    ]);
    expect(await batchesOf()).toHaveLength(1);
    await payEverything();
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    await expectBooksToMatchTheChain();
  });
});
