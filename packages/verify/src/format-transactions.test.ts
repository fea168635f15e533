import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { DECIDING_SLOTS } from '@engulf/chain/anchors/anchor-memo';
import { keepOwnAnchors, type ListedAnchor, readAnchor } from '@engulf/chain/anchors/read-anchors';
import { readTransaction } from '@engulf/chain/node/read-transaction';
import { readJoinPayments } from '@engulf/chain/payments/join-payments';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import { testAddress } from '@engulf/chain/testing/people';
import { scriptedNode } from '@engulf/chain/testing/scripted-node';
import { type Address, address, signature } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { readProofs } from './payout-proofs.ts';

type Payment = { lobby: string; wallet: string; mint: string | null };
type Anchor = {
  signer: string;
  memo: string;
  kind: 'commit' | 'close';
  commitment: string;
  previous?: string;
  targetSlot?: string;
};
type Example = {
  signature: string;
  answer: object;
  join?: Payment & { stake: string };
  claim?: { memo: string; payments: (Payment & { amount: string })[]; proofs: object[] };
  anchor?: Anchor;
};

/** Transactions of a real match, and what a verifier that knows nothing but docs/recording-format.md found in them. */
const FILE = join(import.meta.dirname, '../../../docs/recording-format/transactions.json');
const examples = JSON.parse(readFileSync(FILE, 'utf8')) as {
  programId: string;
  chainLobbyId: string;
  lobby: string;
  transactions: Example[];
};
const programId = address(examples.programId);
const find = (isWanted: (example: Example) => unknown) => examples.transactions.find(isWanted)!;
const { rpc } = scriptedNode({
  getTransaction: ([name]) => find(({ signature }) => signature === name)?.answer ?? null,
});

async function read(example: Example) {
  const reading = await readTransaction([rpc], signature(example.signature));
  if (reading.kind !== 'read') throw new Error(reading.reason);
  return reading.transaction;
}

describe('the transactions of docs/recording-format', () => {
  test('name the account of their lobby', async () => {
    expect(await findLobbyConfig(programId, BigInt(examples.chainLobbyId))).toBe(examples.lobby);
  });

  test('have the join and the claim that their readers find', async () => {
    const paid = find(({ join }) => join);
    const { lobby, wallet, stake } = paid.join!;
    expect(readJoinPayments(await read(paid), programId)).toMatchObject([
      { lobbyConfig: lobby, player: wallet, stake: BigInt(stake) },
    ]);
    const { signature: name, claim } = find((one) => one.claim);
    const found = readClaim(await read({ signature: name, answer: {} }), programId)!;
    expect(found.payments).toMatchObject(
      claim!.payments.map((one) => ({
        lobbyConfig: one.lobby,
        player: one.wallet,
        tokenMint: undefined,
        amount: BigInt(one.amount),
      })),
    );
    expect(found.memo).toBe(claim!.memo);
    expect(readProofs(found.memo)).toEqual(claim!.proofs);
  });

  test.each(['commit', 'close'] as const)('have the memo of a %s', async (kind) => {
    const { signature: name, anchor } = find((one) => one.anchor?.kind === kind);
    const found = (await readAnchor(rpc, signature(name)))!;
    const { signer, memo: _, targetSlot, spill, ...memo } = anchor! as Anchor & { spill?: string };
    expect(found.signer).toBe(signer);
    expect(found.memo).toEqual({ ...memo, ...(spill !== undefined && { spill: BigInt(spill) }) });
    if (targetSlot !== undefined) expect((found.slot + DECIDING_SLOTS).toString()).toBe(targetSlot);
  });

  test('are believed only where the key has signed, for anybody can write beside it', async () => {
    const { signature: name, anchor } = find((one) => one.anchor?.kind === 'close');
    const { memo, slot } = (await readAnchor(rpc, signature(name)))!;
    const close: ListedAnchor = { signature: name, slot, memo: memo! };
    const stranger: ListedAnchor = { ...close, memo: { ...close.memo, commitment: '0'.repeat(64) } };
    const about = { commitment: anchor!.commitment, previous: '1'.repeat(64) };
    const keep = (key: Address) => keepOwnAnchors(rpc, key, about, [stranger, close]);
    expect(await keep(address(anchor!.signer))).toEqual([stranger, close]);
    expect(await keep(testAddress(1))).toEqual([stranger]);
  });
});
