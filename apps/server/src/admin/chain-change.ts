import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import { lookUpFate, type TransactionFate } from '@engulf/chain/node/await-finality';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { bidForBlock, simulateClaim } from '@engulf/chain/payouts/compute-budget';
import { transactionSignature } from '@engulf/domain/ids/entity-ids';
import {
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  createTransactionMessage,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signature as toSignature,
} from '@solana/kit';
import { and, eq } from 'drizzle-orm';
import type { Chain } from '../platform/chain/chain.ts';
import { sendThroughNodes } from '../platform/chain/send-through-nodes.ts';
import type { Context } from '../platform/context.ts';
import { operatorTransactions } from '../platform/database/operations.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../platform/database/sql-state.ts';
import { openKey } from '../platform/super-admin-key.ts';
import { type AdminContext, type Applying, Refusal, Unfinished, withChain } from './command.ts';

type OpenTransaction = typeof operatorTransactions.$inferSelect;

/** The subject of changes that concern all lobbies. Other subjects are ids of lobbies. */
export const PLATFORM = 'platform';

type BuiltChange = {
  readonly payer: KeyPairSigner;
  readonly instruction: Instruction;
  /** In the same transaction, after it. */
  readonly further?: readonly Instruction[];
};

export type ChainChange = {
  /** What is changed. Only one transaction per subject is in flight. */
  readonly subject: string;
  /** Whether the finalized state of the chain is as wanted. */
  isDone(): Promise<boolean>;
  build(): Promise<BuiltChange>;
};

/**
 * Changes something on the chain exactly once. The transaction is stored before it is sent, and nothing else is signed
 * for its subject while it may still land: it could otherwise land later and undo a newer change.
 */
export async function changeOnChain(applying: Applying, change: ChainChange): Promise<void> {
  const context = await withChain(applying.admin);
  const { subject } = change;
  await finishOpen(applying, context, subject);
  if (await change.isDone()) return;
  const { signature, wire, lastValidBlockHeight } = await sign(context.chain, await change.build());
  const row: OpenTransaction = {
    signature: transactionSignature(signature),
    subject,
    wire,
    lastValidBlockHeight,
    status: 'open',
    failureReason: null,
    createdAt: new Date(context.nowMs()),
    closedAt: null,
  };
  try {
    await context.db.transaction(async (tx) => {
      await tx.insert(operatorTransactions).values(row);
      await applying.note(tx, subject, { step: 'signed', signature });
    });
  } catch (error) {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    throw new Unfinished('Somebody else is changing this at the same time.');
  }
  applying.report(`signed ${signature}`);
  await deliver(applying, context, row);
  if (!(await change.isDone())) throw new Unfinished('The chain took the transaction, but is not as wanted.');
}

/** Waits for a transaction that an interrupted command left in flight. */
export async function finishOpen(
  applying: Applying,
  context: Pick<Context, 'db' | 'chain'>,
  subject: string,
): Promise<void> {
  const isOpen = and(eq(operatorTransactions.subject, subject), eq(operatorTransactions.status, 'open'));
  const [open] = await context.db.select().from(operatorTransactions).where(isOpen);
  if (!open) return;
  applying.report(`waiting for ${open.signature}, which was signed before`);
  try {
    await deliver(applying, context, open);
  } catch (error) {
    // It changed nothing, so the command starts over.
    if (!(error instanceof Refusal)) throw error;
  }
}

const POLL_MS = { embedded: 100, external: 1_000 } as const;
/** It expires after about three minutes; a node that says nothing for longer is down. */
const GIVE_UP_AFTER_MS = 10 * 60_000;

/** Sends it until its outcome is final, and stores the outcome. */
async function deliver(
  { admin, report }: Applying,
  context: Pick<Context, 'db' | 'chain'>,
  open: OpenTransaction,
): Promise<void> {
  const { chain, db } = context;
  const startedMs = performance.now();
  let fate: TransactionFate | undefined;
  for (let attempt = 0; ; attempt++) {
    // An error says nothing about whether it arrived.
    await sendThroughNodes(context, open.wire as Base64EncodedWireTransaction).catch(() => undefined);
    if (attempt === 0) report('sent; waiting until it is final');
    fate = await lookUp(chain, open).catch(() => undefined);
    if (fate) break;
    if (performance.now() - startedMs > GIVE_UP_AFTER_MS) {
      throw new Unfinished(`No node could tell what became of ${open.signature}.`);
    }
    await admin.pause(POLL_MS[chain.mode]);
  }
  const failureReason = fate.kind === 'failed' ? fate.reason : null;
  await db
    .update(operatorTransactions)
    .set({ status: fate.kind, failureReason, closedAt: new Date(admin.nowMs()) })
    .where(and(eq(operatorTransactions.signature, open.signature), eq(operatorTransactions.status, 'open')));
  if (fate.kind === 'failed') throw new Refusal(`The chain refused ${open.signature}: ${fate.reason}`);
  if (fate.kind === 'expired') throw new Unfinished(`${open.signature} did not reach the chain in time.`);
  report(`final in slot ${fate.slot}`);
}

function lookUp(
  { rpc }: Chain,
  { signature, lastValidBlockHeight }: OpenTransaction,
): Promise<TransactionFate | undefined> {
  return lookUpFate({ rpc, signature: toSignature(signature), lastValidBlockHeight });
}

const MAX_COMPUTE_UNITS = 200_000;
/** Operators' changes are rare and should land quickly. */
const MAX_FEE_LAMPORTS = 1_000_000n;

/** Finds out whether the chain would take a change, so that a dry run promises nothing that it refuses. */
export async function rehearse(
  admin: AdminContext,
  { isDone, build }: Pick<ChainChange, 'isDone' | 'build'>,
): Promise<void> {
  if (!(await isDone())) await simulate(await admin.openChain(), await build());
}

/** Simulates first, so that the operator is told why the chain would refuse a change instead of signing it. */
async function sign(chain: Chain, change: BuiltChange) {
  const { message, computeUnits } = await simulate(chain, change);
  const price = bidForBlock({ computeUnits, recentPrice: 0n, expiries: 2, maxFeeLamports: MAX_FEE_LAMPORTS });
  return signForSending(
    pipe(
      message,
      (draft) => setTransactionMessageComputeUnitLimit(computeUnits, draft),
      (draft) => setTransactionMessageComputeUnitPrice(price, draft),
    ),
  );
}

async function simulate(chain: Chain, { payer, instruction, further = [] }: BuiltChange) {
  const { value: lifetime } = await chain.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send();
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayerSigner(payer, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions([instruction, ...further], draft),
    (draft) => setTransactionMessageComputeUnitLimit(MAX_COMPUTE_UNITS, draft),
    (draft) => setTransactionMessageComputeUnitPrice(0n, draft),
  );
  const simulated = await simulateClaim(chain.rpc, message);
  if (simulated.kind === 'fails') {
    throw new Refusal(`The chain would refuse this: ${simulated.reason} Nothing was sent.`);
  }
  return { message, computeUnits: simulated.computeUnits };
}

/** The key that the program obeys, if this process has it. */
export async function requireSuperAdmin(admin: AdminContext): Promise<KeyPairSigner> {
  const { rpc, programId, superAdminKey } = await admin.openChain();
  const config = await readGlobalConfig(rpc, programId);
  if (!config) {
    throw new Refusal(`The program ${programId} is not set up. Run: npm run engulf -- chain init --help`);
  }
  if (!superAdminKey) {
    throw new Refusal(`This needs SUPER_ADMIN_KEYPAIR in the environment: the key of ${config.superAdmin}.`);
  }
  if (superAdminKey.address !== config.superAdmin) {
    throw new Refusal(
      `SUPER_ADMIN_KEYPAIR is ${superAdminKey.address}, but the program obeys ${config.superAdmin}.`,
    );
  }
  return openKey(superAdminKey);
}
