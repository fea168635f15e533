import { readFileSync } from 'node:fs';
import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { DECIDING_SLOTS, writeAnchorMemo } from '@engulf/chain/anchors/anchor-memo';
import { keepOwnAnchors, type ListedAnchor, readAnchor } from '@engulf/chain/anchors/read-anchors';
import { CLAIM_BY_PAYOUT_KEY_DISCRIMINATOR } from '@engulf/chain/generated/instructions/claimByPayoutKey';
import { CLAIM_IN_ORDER_DISCRIMINATOR } from '@engulf/chain/generated/instructions/claimInOrder';
import { CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR } from '@engulf/chain/generated/instructions/claimMultipleRewards';
import { CLAIM_REWARD_DISCRIMINATOR } from '@engulf/chain/generated/instructions/claimReward';
import { readTransaction } from '@engulf/chain/node/read-transaction';
import { readJoinPayments } from '@engulf/chain/payments/join-payments';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import { testAddress } from '@engulf/chain/testing/people';
import { scriptedNode } from '@engulf/chain/testing/scripted-node';
import { toHex } from '@engulf/sim/keys';
import { firstPrevious, termsHash } from '@engulf/sim/recording/terms';
import {
  type Address,
  address,
  decodeTransactionFromRpcResponse,
  getAddressEncoder,
  signature,
  walkInstructions,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { readProofs, readReturned } from './payout-proofs.ts';
import { madeUpJoin } from './testing/made-up-join.ts';
import {
  TRANSACTIONS_FILE,
  type TransactionExample,
  type TransactionExamples,
} from './testing/transaction-examples.ts';

/** Made by a real program on a real chain, each with what was put into it. */
const examples = JSON.parse(readFileSync(TRANSACTIONS_FILE, 'utf8')) as TransactionExamples;
const { transactions } = examples;
const { rpc } = scriptedNode({
  getTransaction: ([name]) => transactions.find(({ signature }) => signature === name)?.answer ?? null,
});
const named = transactions.map((example) => [example.what, example] as const);

async function read(example: TransactionExample) {
  const reading = await readTransaction([rpc], signature(example.signature));
  if (reading.kind !== 'read') throw new Error(reading.reason);
  return reading.transaction;
}

const programOf = ({ madeUp }: TransactionExample) => address(madeUp?.programId ?? examples.programId);

describe('the transactions of docs/recording-format', () => {
  test.each(examples.lobbies)('name the account of lobby $chainLobbyId', async ({ chainLobbyId, lobby }) => {
    expect(await findLobbyConfig(address(examples.programId), BigInt(chainLobbyId))).toBe(lobby);
    const inPools = transactions.flatMap(({ joins = [], claim }) => [...joins, ...(claim?.payments ?? [])]);
    expect(inPools.map((one) => one.lobby)).toContain(lobby);
  });

  test.each(named)('have the joins that are read from %s', async (_, example) => {
    const found = readJoinPayments(await read(example), programOf(example));
    expect(
      found.map(({ lobbyConfig, player, tokenMint, stake, inputsKey }) => ({
        lobby: lobbyConfig,
        mint: tokenMint ?? null,
        stake: stake.toString(),
        wallet: player,
        inputsKey: inputsKey ?? null,
      })),
    ).toEqual(example.joins ?? []);
  });

  test.each(named)('have the claim that is read from %s', async (_, example) => {
    const transaction = await read(example);
    const found = readClaim(transaction, programOf(example));
    const claim = found && {
      instruction: claimInstructionOf(transaction, programOf(example)),
      number: found.number?.toString() ?? null,
      batch: found.batchId,
      memo: found.memo,
      payments: found.payments.map(({ lobbyConfig, tokenMint, player, amount }) => ({
        lobby: lobbyConfig,
        mint: tokenMint ?? null,
        wallet: player,
        amount: amount.toString(),
      })),
      matches: readProofs(found.memo).map(({ commitment, hash }) => ({ commitment, hash: hash ?? null })),
      returned: readReturned(found.memo),
    };
    expect(claim).toEqual(example.claim);
  });

  test.each(named)('have the memo of a match that is read from %s', async (_, example) => {
    const { slot, signer, memo, accounts } = (await readAnchor(rpc, signature(example.signature)))!;
    const anchor = memo && {
      signer,
      memo: writeAnchorMemo(memo),
      ...memo,
      ...(memo.kind === 'commit'
        ? { targetSlot: (slot + DECIDING_SLOTS).toString() }
        : { spill: memo.spill.toString() }),
    };
    const { termsOf, ...expected } = { termsOf: undefined, ...example.anchor };
    expect(anchor ?? {}).toEqual(expected);
    if (anchor) expect(accounts).toContain(examples.lobbies[0]!.lobby);
    if (termsOf && memo?.kind === 'commit') {
      const lobby = new Uint8Array(getAddressEncoder().encode(address(examples.lobbies[0]!.lobby)));
      const { rules: rulesText, receiptKey } = termsOf;
      const terms = termsHash({
        lobby,
        rulesText,
        receiptKey: Uint8Array.from(Buffer.from(receiptKey, 'hex')),
      });
      expect([memo.terms, memo.previous]).toEqual([terms, firstPrevious(lobby)].map(toHex));
    }
  });

  test('have each instruction that pays, memos of a match that count and one that does not', () => {
    const instructions = transactions.flatMap(({ claim }) => claim?.instruction ?? []);
    expect(instructions.toSorted()).toEqual(Object.keys(CLAIMS).toSorted());
    const anchors = transactions.flatMap(({ anchor }) => (anchor === undefined ? [] : [anchor?.kind]));
    expect(anchors.toSorted()).toEqual(['close', 'commit', undefined]);
    expect(transactions.some(({ anchor }) => anchor?.kind === 'commit' && anchor.termsOf)).toBe(true);
  });

  test('have a claim that returns the first join', () => {
    const joined = transactions.find(({ joins }) => joins)!;
    const { returned, payments } = transactions.find(({ claim }) => claim?.returned.length)!.claim!;
    expect(returned).toEqual([joined.signature.slice(0, 12)]);
    const { lobby, mint, stake: amount, wallet } = joined.joins![0]!;
    expect(payments).toEqual([{ lobby, mint, wallet, amount }]);
  });

  test('have one that nobody has made, and say so', () => {
    expect(transactions.filter(({ madeUp }) => madeUp)).toEqual(JSON.parse(JSON.stringify([madeUpJoin()])));
  });

  test('are believed only where the key has signed, for anybody can write beside it', async () => {
    const { signature: name, anchor } = transactions.find((one) => one.anchor?.kind === 'close')!;
    const { memo, slot } = (await readAnchor(rpc, signature(name)))!;
    const close: ListedAnchor = { signature: name, slot, memo: memo! };
    const stranger: ListedAnchor = { ...close, memo: { ...close.memo, commitment: '0'.repeat(64) } };
    const about = { commitment: anchor!.commitment, previous: '1'.repeat(64) };
    const keep = (key: Address) => keepOwnAnchors(rpc, key, about, [stranger, close]);
    expect(await keep(address(anchor!.signer))).toEqual([stranger, close]);
    expect(await keep(testAddress(1))).toEqual([stranger]);
  });
});

const CLAIMS = {
  claim_reward: CLAIM_REWARD_DISCRIMINATOR,
  claim_multiple_rewards: CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR,
  claim_in_order: CLAIM_IN_ORDER_DISCRIMINATOR,
  claim_by_payout_key: CLAIM_BY_PAYOUT_KEY_DISCRIMINATOR,
};

/** By what its data begins with. */
function claimInstructionOf(transaction: Awaited<ReturnType<typeof read>>, programId: Address) {
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const begins = walkInstructions({ compiledMessage, loadedAddresses, meta: transaction.meta })
    .filter(({ programAddress }) => programAddress === programId)
    .map(({ data = new Uint8Array() }) => toHex(Uint8Array.from(data).subarray(0, 8)));
  return Object.entries(CLAIMS).find(([, bytes]) => begins.includes(toHex(bytes)))?.[0];
}
