import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { transactionSignature, walletAddress } from '@engulf/domain/ids/entity-ids';
import { type Address, address, type KeyPairSigner } from '@solana/kit';
import { pino } from 'pino';
import type { PaidLobby } from '../../src/lobbies/lobby-rows.ts';
import { type PayoutDeps, sendThroughNode } from '../../src/money/payouts/pay-lobby.ts';
import { noteReserve } from '../../src/money/pool-readings.ts';
import { createClaimSigner } from '../../src/money/signer/claim-signer.ts';
import { openFileLog } from '../../src/money/signer/file-log.ts';
import type { Signer } from '../../src/money/signer/signer.ts';
import type { SignerLog } from '../../src/money/signer/signer-log.ts';
import { createTableLog } from '../../src/money/signer/table-log.ts';
import { acceptPayment, recordPayment } from '../../src/payments/decide-payment.ts';
import type { Context } from '../../src/platform/context.ts';
import type { Database } from '../../src/platform/database/open-database.ts';
import { createLife, type Life } from '../mortal.ts';
import { newPaidLobby } from '../new-lobby.ts';
import { randomBase58 } from '../random-base58.ts';
import { createFakeChain, type FakeChain, type NodeView, RESERVE } from './payout-chain.ts';

/** A lobby with its chain, two nodes and workers that can be killed at any step. */
export type PayoutWorld = {
  readonly chain: FakeChain;
  readonly nodes: readonly [NodeView, NodeView];
  readonly lobby: PaidLobby;
  readonly db: Database;
  nowMs: number;
  /** In a process of its own, if the signer is apart. */
  restartSigner(): void;
  /** What each wallet has to receive in the end. */
  readonly owed: Map<string, bigint>;
  owe(wallet: string, amount: bigint): Promise<void>;
  /** A worker that is killed at its nth step, if a number is given. */
  worker(killedAtStep?: number): { readonly context: Context; readonly deps: PayoutDeps };
};

const LIMITS = { payout: 6n, lobbyHour: 12n, hour: 10n ** 18n };
const MAX_FEE_LAMPORTS = 1_000_000n;
const START_MS = 1_800_000_000_000;

type PayoutWorldOptions = {
  readonly db: Database;
  readonly key: KeyPairSigner;
  readonly programId: Address;
  /** The file of a signer apart from the workers, which outlives them. Otherwise each of them signs. */
  readonly signerLog?: string | undefined;
};

export async function createPayoutWorld({
  db,
  key,
  programId,
  signerLog,
}: PayoutWorldOptions): Promise<PayoutWorld> {
  const lobby = (await newPaidLobby(db)) as PaidLobby;
  await noteReserve(db, lobby.id, RESERVE);
  const { chainLobbyId: id } = lobby;
  const chain = createFakeChain(programId, await findLobbyConfig(programId, id), id);
  const view = (): NodeView => ({ lagBlocks: 0, knowsSince: 0, isAway: false });
  const nodes = [view(), view()] as const;
  const rpcs = nodes.map((node) => chain.node(node));
  const context = {
    db,
    chain: {
      rpc: rpcs[0],
      nodes: rpcs,
      programId,
      readPlatform: async () => ({ superAdmin: key.address }),
    },
    switches: { read: async () => ({ 'payouts-paused': false }) },
    logger: pino({ level: 'silent' }),
    nowMs: () => world.nowMs,
  } as unknown as Context;
  const world: PayoutWorld = {
    chain,
    nodes,
    lobby,
    db,
    nowMs: START_MS,
    restartSigner: () => {
      apart?.close();
      apart = openApart();
    },
    owed: new Map(),
    owe: (wallet, amount) => owe(context, world, wallet, amount),
    worker: (killedAtStep = Number.POSITIVE_INFINITY) => {
      const life = createLife(killedAtStep);
      const mortal = life.mortalContext(context);
      return { context: mortal, deps: depsOf(mortal, key, life, apart ?? createTableLog(mortal.db)) };
    },
  };
  const openApart = () => (signerLog === undefined ? undefined : openFileLog(signerLog, () => world.nowMs));
  let apart = openApart();
  return world;
}

function depsOf(context: Context, key: KeyPairSigner, life: Life, log: SignerLog): PayoutDeps {
  const signer: Signer = createClaimSigner({
    key,
    programId: context.chain.programId,
    limits: { sol: LIMITS, tokens: {} },
    maxPriorityFeeLamports: MAX_FEE_LAMPORTS,
    log,
    isReleased: ({ isReleased }) => isReleased,
    logger: context.logger,
    nowMs: context.nowMs,
  });
  return {
    signer: {
      sign: async (batch) => {
        const answer = await signer.sign(batch);
        life.step();
        return answer;
      },
    },
    maxPriorityFeeLamports: MAX_FEE_LAMPORTS,
    send: async (wire) => {
      await sendThroughNode(context, wire);
      life.step();
    },
    // Payments are booked as they arrive.
    bookPayments: async () => undefined,
  };
}

/** A payment without an entry: it goes to the pool and is owed back. */
async function owe(context: Context, world: PayoutWorld, wallet: string, amount: bigint): Promise<void> {
  const { chain, lobby, owed } = world;
  const signature = transactionSignature(randomBase58(64));
  chain.pay(amount, signature);
  owed.set(wallet, (owed.get(wallet) ?? 0n) + amount);
  const anywhere = address(wallet);
  const payment = {
    lobbyConfig: anywhere,
    player: anywhere,
    treasury: anywhere,
    tokenMint: undefined,
    entryFee: amount,
    platformFee: 0n,
    stake: amount,
  };
  const paymentKey = { signature, lobbyId: lobby.id, wallet: walletAddress(wallet), nth: 0 };
  await world.db.transaction(async (tx) => {
    const { id } = await recordPayment(tx, paymentKey, null);
    await acceptPayment(context, tx, lobby, id, { payment, slot: BigInt(chain.height) });
  });
}
