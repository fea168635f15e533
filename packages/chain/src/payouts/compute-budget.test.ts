import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createNoopSigner,
  createTransactionMessage,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { type ClaimMessage, MAX_COMPUTE_UNITS } from './claim-message.ts';
import { bidForBlock, readRecentPrice, simulateClaim } from './compute-budget.ts';

const payer = testAddress(1);
const message = pipe(
  createTransactionMessage({ version: 0 }),
  (empty) => setTransactionMessageFeePayerSigner(createNoopSigner(payer), empty),
  (paid) =>
    setTransactionMessageLifetimeUsingBlockhash(
      { blockhash: payer as string as Blockhash, lastValidBlockHeight: 1n },
      paid,
    ),
  (lasting) => appendTransactionMessageInstructions([{ programAddress: testAddress(2) }], lasting),
) as unknown as ClaimMessage;

describe('the price of a claim', () => {
  const bid = (change: { recentPrice?: bigint; expiries?: number; maxFeeLamports?: bigint } = {}) => {
    const settings = { computeUnits: 100_000, recentPrice: 20_000n, expiries: 0, maxFeeLamports: 1_000_000n };
    return bidForBlock({ ...settings, ...change });
  };

  test('is what others paid lately, and never nothing', () => {
    expect(bid()).toBe(20_000n);
    expect(bid({ recentPrice: 0n })).toBe(5_000n);
  });

  test('doubles with each expiry, up to the most that a transaction may cost', () => {
    expect(bid({ expiries: 3 })).toBe(160_000n);
    expect(bid({ expiries: 10 })).toBe(10_000_000n);
    expect(bid({ maxFeeLamports: 0n })).toBe(0n);
  });

  test('is read from the upper quarter of the recent fees on the accounts', async () => {
    const read = (fees: readonly number[]) => {
      const { rpc } = scriptedNode({
        getRecentPrioritizationFees: () =>
          fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee })),
      });
      return readRecentPrice(rpc, [payer]);
    };
    expect(await read([9, 0, 10, 1])).toBe(10n);
    expect(await read([0, 0, 0, 0, 0, 9])).toBe(0n);
    expect(await read([])).toBe(0n);
  });
});

test('simulateClaim reports the compute units with a margin, or why the chain would refuse', async () => {
  const simulate = (value: object) => {
    const { rpc } = scriptedNode({ simulateTransaction: () => ({ context: { slot: 1 }, value }) });
    return simulateClaim(rpc, message);
  };
  expect(await simulate({ err: null, unitsConsumed: 10_000 })).toEqual({
    kind: 'works',
    computeUnits: 13_000,
  });
  // A claim with too few would fail on the chain, again and again.
  for (const unitsConsumed of [undefined, null, 1_399_000]) {
    expect(await simulate({ err: null, unitsConsumed })).toEqual({
      kind: 'works',
      computeUnits: MAX_COMPUTE_UNITS,
    });
  }
  const err = { InstructionError: [0, { Custom: 6005 }] };
  expect(await simulate({ err })).toEqual({
    kind: 'fails',
    reason: 'Reward amount must be greater than zero.',
    isPayerShort: false,
  });
  const rentOf = (account_index: number) => ({ InsufficientFundsForRent: { account_index } });
  const insufficientIn = (instruction: number) => ({ InstructionError: [instruction, { Custom: 1 }] });
  for (const err of ['AccountNotFound', 'InsufficientFundsForFee', rentOf(0)]) {
    expect(await simulate({ err })).toMatchObject({ kind: 'fails', isPayerShort: true });
  }
  // A player's wallet, and a pool that holds too few tokens.
  for (const err of [rentOf(3), insufficientIn(1)]) {
    expect(await simulate({ err })).toMatchObject({ kind: 'fails', isPayerShort: false });
  }
  // A node that is behind says nothing about the claim.
  const wrongNumber = { InstructionError: [0, { Custom: 6021 }] };
  await expect(simulate({ err: wrongNumber })).rejects.toThrow('newest claims');
  // Nor do the limits of a payout key.
  for (const Custom of [6022, 6023, 6024]) {
    await expect(simulate({ err: { InstructionError: [0, { Custom }] } })).rejects.toThrow('payout key');
  }
});
