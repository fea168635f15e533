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
import { orderedCall } from './world/claims.ts';
import { claimBatchCall, createLobby, type Lobby } from './world/lobby.ts';
import { createMint } from './world/tokens.ts';
import { createWorld, instruction, SOL, type World } from './world/world.ts';

const MAX_TRANSACTION_BYTES = 1232;
const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111');
const computeLimit: Instruction = { programAddress: COMPUTE_BUDGET, data: Uint8Array.of(2, 0, 0, 0, 0) };
const computePrice: Instruction = {
  programAddress: COMPUTE_BUDGET,
  data: Uint8Array.of(3, 0, 0, 0, 0, 0, 0, 0, 0),
};

async function batchBytes(world: World, lobby: Lobby, wallets: Address[], isInOrder: boolean) {
  const payouts = wallets.map((wallet) => ({ wallet, amount: 1n }));
  const claim = isInOrder
    ? orderedCall(world, lobby, { number: 0n, payouts })
    : claimBatchCall(world, lobby, payouts);
  const batch = instruction(world, await claim);
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayerSigner(world.superAdmin, m),
    (m) => world.svm.setTransactionMessageLifetimeUsingLatestBlockhash(m),
    (m) => appendTransactionMessageInstructions([computeLimit, computePrice, batch], m),
  );
  return getTransactionEncoder().encode(compileTransaction(message)).length;
}

test.each([false, true])(
  'ten payouts and a priority fee fit into one transaction; in order: %s',
  async (isInOrder) => {
    const world = await createWorld();
    const wallets = (await Promise.all(Array.from({ length: 10 }, () => generateKeyPairSigner()))).map(
      (w) => w.address,
    );
    const solLobby = await createLobby(world, { id: 1n, entryFee: SOL });
    const tokenLobby = await createLobby(world, { id: 2n, entryFee: SOL, mint: await createMint(world) });
    expect(await batchBytes(world, solLobby, wallets, isInOrder)).toBeLessThanOrEqual(MAX_TRANSACTION_BYTES);
    expect(await batchBytes(world, tokenLobby, wallets, isInOrder)).toBeLessThanOrEqual(
      MAX_TRANSACTION_BYTES,
    );
  },
);
