import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
} from '@solana/kit';
import { expect, test } from 'vitest';
import { byPayoutKeyCall, orderedCall } from './world/claims.ts';
import { claimBatchCall, createLobby, type Lobby, type Payout } from './world/lobby.ts';
import { createMint } from './world/tokens.ts';
import { type Call, createWorld, instruction, SOL, type World } from './world/world.ts';

const MAX_TRANSACTION_BYTES = 1232;
const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const computeLimit: Instruction = { programAddress: COMPUTE_BUDGET, data: Uint8Array.of(2, 0, 0, 0, 0) };
const computePrice: Instruction = {
  programAddress: COMPUTE_BUDGET,
  data: Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 0),
};

const CALLS = {
  claim_multiple_rewards: claimBatchCall,
  claim_in_order: (world, lobby, payouts) => orderedCall(world, lobby, { number: 0n, payouts }),
  claim_by_payout_key: (world, lobby, payouts) =>
    byPayoutKeyCall(world, lobby, world.superAdmin, { number: 0n, payouts }),
} satisfies Record<string, (world: World, lobby: Lobby, payouts: Payout[]) => Promise<Call>>;

async function batchBytes(world: World, lobby: Lobby, wallets: Address[], kind: keyof typeof CALLS) {
  const payouts = wallets.map((wallet) => ({ wallet, amount: 1n }));
  const batch = instruction(world, await CALLS[kind](world, lobby, payouts));
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(world.superAdmin, m),
    (m) => world.svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    (m) => appendTransactionMessageInstructions([computeLimit, computePrice, batch], m),
  );
  return getTransactionEncoder().encode(compileTransaction(message)).length;
}

test.each(Object.keys(CALLS) as (keyof typeof CALLS)[])(
  'ten payouts and a priority fee fit into one transaction of %s',
  async (kind) => {
    const world = await createWorld();
    const wallets = (await Promise.all(Array.from({ length: 10 }, () => generateKeyPairSigner()))).map(
      (w) => w.address,
    );
    const solLobby = await createLobby(world, { id: 1n, entryFee: SOL });
    const tokenLobby = await createLobby(world, { id: 2n, entryFee: SOL, mint: await createMint(world) });
    for (const lobby of [solLobby, tokenLobby])
      expect(await batchBytes(world, lobby, wallets, kind)).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
  },
);
