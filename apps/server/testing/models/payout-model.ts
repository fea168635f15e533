import {
  findClaimCounter,
  findGlobalConfig,
  findLobbyConfig,
  findPayoutKey,
} from '@engulf/chain/accounts/pdas';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import {
  type TransactionSignature,
  transactionSignature,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import { type Address, address, type KeyPairSigner } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import type { PaidLobby } from '../../src/lobbies/lobby-rows.ts';
import type { PayoutDeps } from '../../src/money/payouts/pay-lobby.ts';
import { noteReserve } from '../../src/money/pool-readings.ts';
import { type ClaimSignerDeps, createClaimSigner } from '../../src/money/signer/claim-signer.ts';
import { openFileLog } from '../../src/money/signer/file-log.ts';
import type { Signer } from '../../src/money/signer/signer.ts';
import type { SignerLog } from '../../src/money/signer/signer-log.ts';
import { createTableLog } from '../../src/money/signer/table-log.ts';
import { acceptPayment, recordPayment } from '../../src/payments/decide-payment.ts';
import { explainWithdrawal } from '../../src/payments/unknown-claim.ts';
import { sendThroughNodes } from '../../src/platform/chain/send-through-nodes.ts';
import type { Context } from '../../src/platform/context.ts';
import { payoutBatches } from '../../src/platform/database/money.ts';
import type { Database } from '../../src/platform/database/open-database.ts';
import { createLife, type Life } from '../mortal.ts';
import { newPaidLobby } from '../new-lobby.ts';
import { randomBase58 } from '../random-base58.ts';
import { backUpLobby, restoreLobby } from './lobby-backup.ts';
import { createFakeChain, type FakeChain, GOOD_NODE, type NodeView, RESERVE } from './payout-chain.ts';

/** A lobby with its chain, two nodes, two signers and workers that can be killed at any step. */
export type PayoutWorld = {
  readonly chain: FakeChain;
  readonly nodes: readonly [NodeView, NodeView];
  readonly lobby: PaidLobby;
  readonly db: Database;
  nowMs: number;
  /** Whether the chain obeys the payout key, if there is one. */
  setGranted(isGranted: boolean): void;
  /** In processes of their own, if the signers are apart. */
  restartSigners(): void;
  /** From now on workers ask the other signer. */
  changeSigner(): void;
  backUp(): Promise<void>;
  /** The newest backup. The chain, and signers that are apart, go on. */
  restore(): Promise<void>;
  /** How often a person has released payouts. */
  releases: number;
  /** What each wallet has to receive in the end. */
  readonly owed: Map<string, bigint>;
  owe(wallet: string, amount: bigint): Promise<void>;
  /** A worker that is killed at its nth step, if a number is given. */
  worker(killedAtStep?: number): { readonly context: Context; readonly deps: PayoutDeps };
};

const LIMITS = { payout: 6n, lobbyHour: 12n, hour: 10n ** 18n, day: 10n ** 18n };
/** Enough for any payout, and soon exhausted. */
const PAYOUT_KEY_LIMITS = { maxClaim: 9n, maxWindow: 15n, windowSlots: 60n };
const MAX_FEE_LAMPORTS = 1_000_000n;
const START_MS = 1_800_000_000_000;

type PayoutWorldOptions = {
  readonly db: Database;
  readonly key: KeyPairSigner;
  readonly programId: Address;
  readonly isInOrder: boolean;
  /** The key is that of the lobby, with limits, and nobody has the super admin's. */
  readonly isByPayoutKey?: boolean;
  /** The files of two signers apart from the workers, which outlive them. Otherwise each worker signs. */
  readonly signerLogs?: readonly [string, string] | undefined;
};

export async function createPayoutWorld({
  db,
  key,
  programId,
  isInOrder,
  isByPayoutKey = false,
  signerLogs,
}: PayoutWorldOptions): Promise<PayoutWorld> {
  const lobby = (await newPaidLobby(db, { claimsInOrder: isInOrder })) as PaidLobby;
  await noteReserve(db, lobby.id, RESERVE);
  const { chainLobbyId: lobbyId } = lobby;
  const lobbyConfig = await findLobbyConfig(programId, lobbyId);
  const claimCounter = isInOrder ? await findClaimCounter(programId, lobbyId) : undefined;
  const payoutKey = await findPayoutKey(programId, lobbyId);
  const superAdmin = isByPayoutKey ? programId : key.address;
  const addresses = { lobbyConfig, claimCounter, payoutKey, globalConfig: await findGlobalConfig(programId) };
  const chain = createFakeChain({ programId, lobbyId, superAdmin, ...addresses });
  const grant = isByPayoutKey ? { key: key.address, setBy: superAdmin, ...PAYOUT_KEY_LIMITS } : undefined;
  chain.grant = grant;
  const nodes = [{ ...GOOD_NODE }, { ...GOOD_NODE }] as const;
  const payments: Payment[] = [];
  let backup = await backUpLobby(db, lobby);
  let signerIndex = 0;
  const rpcs = nodes.map((node) => chain.node(node));
  const context = {
    db,
    chain: {
      rpc: rpcs[0],
      nodes: rpcs,
      programId,
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
    releases: 0,
    setGranted: (isGranted) => {
      chain.grant = isGranted ? grant : undefined;
    },
    restartSigners: () => {
      for (const log of apart) log.close();
      apart = openApart();
    },
    changeSigner: () => {
      signerIndex = 1 - signerIndex;
    },
    backUp: async () => {
      backup = await backUpLobby(db, lobby);
    },
    restore: () => restoreLobby(db, lobby, backup),
    owed: new Map(),
    owe: async (wallet, amount) => {
      const payment = { wallet, amount, signature: transactionSignature(randomBase58(64)) };
      chain.pay(amount, payment.signature);
      payments.push(payment);
      world.owed.set(wallet, (world.owed.get(wallet) ?? 0n) + amount);
      await book(context, world, payment);
    },
    worker: (killedAtStep = Number.POSITIVE_INFINITY) => {
      const life = createLife(killedAtStep);
      const mortal = life.mortalContext(context);
      const log = apart[signerIndex] ?? createTableLog(mortal.db);
      const bookPayments = () => bookShown(mortal, world, payments);
      const keys = isByPayoutKey ? { payoutKey: key } : { superAdmin: key };
      return { context: mortal, deps: { ...depsOf(mortal, keys, life, log, world), bookPayments } };
    },
  };
  const openApart = () => (signerLogs ?? []).map((path) => openFileLog(path, () => world.nowMs));
  let apart = openApart();
  return world;
}

function depsOf(
  context: Context,
  keys: ClaimSignerDeps['keys'],
  life: Life,
  log: SignerLog,
  world: PayoutWorld,
): Omit<PayoutDeps, 'bookPayments'> {
  const signer: Signer = createClaimSigner({
    keys,
    programId: context.chain.programId,
    limits: { sol: LIMITS, tokens: {} },
    maxPriorityFeeLamports: MAX_FEE_LAMPORTS,
    log,
    releasesOf: ({ isReleased }) => (isReleased ? world.releases : 0),
    nowMs: context.nowMs,
  });
  return {
    signer: {
      keys: signer.keys,
      sign: async (batch) => {
        const answer = await signer.sign(batch);
        life.step();
        return answer;
      },
    },
    maxPriorityFeeLamports: MAX_FEE_LAMPORTS,
    send: async (wire) => {
      await sendThroughNodes(context, wire);
      life.step();
    },
  };
}

type Payment = {
  readonly wallet: string;
  readonly amount: bigint;
  readonly signature: TransactionSignature;
};

/** What reconciling a lobby does: books the payments and claims that a node shows, as far as they are not booked. */
async function bookShown(context: Context, world: PayoutWorld, paid: readonly Payment[]): Promise<void> {
  const { chain, lobby, nodes } = world;
  const isShown = (signature: string) =>
    nodes.some((view) => !view.isAway && chain.shown(view, signature) !== undefined);
  for (const payment of paid) if (isShown(payment.signature)) await book(context, world, payment);
  for (const [signature, { slot, wire, error }] of chain.landed) {
    if (wire === undefined || error || !isShown(signature)) continue;
    const [known] = await context.db
      .select({ status: payoutBatches.status })
      .from(payoutBatches)
      .where(eq(payoutBatches.signature, transactionSignature(signature)));
    if (known?.status === 'finalized') continue;
    const meta = { err: null, innerInstructions: [], loadedAddresses: { readonly: [], writable: [] } };
    const transaction = { transaction: [wire, 'base64'], meta } as unknown as Parameters<typeof readClaim>[0];
    const claim = readClaim(transaction, context.chain.programId);
    const amount = claim!.payments.reduce((sum, payment) => sum + payment.amount, 0n);
    await explainWithdrawal(context, lobby, { signature, slot: BigInt(slot), amount, transaction });
  }
}

/** A payment without an entry: it went to the pool and is owed back. */
async function book(
  context: Context,
  world: PayoutWorld,
  { wallet, amount, signature }: Payment,
): Promise<void> {
  const { chain, lobby } = world;
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
    const { id, status } = await recordPayment(tx, paymentKey, null);
    if (status === 'verified') return;
    const slot = BigInt(chain.landed.get(signature)!.slot);
    await acceptPayment(context, tx, lobby, id, { payment, slot });
  });
}
