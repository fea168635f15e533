import { readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { readPayoutKey } from '@engulf/chain/accounts/payout-key';
import { findTokenAccount } from '@engulf/chain/accounts/pdas';
import { type Lobby, readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { createClaimCounterInstruction, setPayoutKeyInstruction } from '@engulf/chain/admin/lobby-admin';
import { getRemoveLobbyInstructionAsync } from '@engulf/chain/generated/instructions/removeLobby';
import { readTransaction } from '@engulf/chain/node/read-transaction';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import { buildClaimMessage } from '@engulf/chain/payouts/claim-message';
import { readClaim } from '@engulf/chain/payouts/read-claim';
import type { Address } from '@solana/kit';
import { getAssignInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInstructions } from '../src/testing/load.ts';
import { createTestLobbies, SOL_LOBBY, TOKEN_LOBBY } from '../src/testing/test-lobbies.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

let chain: TestLocalnet;
let lobbies: Awaited<ReturnType<typeof createTestLobbies>>;

beforeAll(async () => {
  chain = await startTestLocalnet();
  lobbies = await createTestLobbies(chain);
});
afterAll(() => chain.dispose());

describe('buildClaimBatch', () => {
  test('pays ten players at once and leaves the rest waiting', async () => {
    const lobby = await lobbies.paidLobby(SOL_LOBBY);
    const rewards = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => ({
        player: (await chain.newWallet()).address,
        amount: 1_000n + BigInt(index),
      })),
    );
    const batch = await claim(lobby, rewards);
    expect(batch.paid).toEqual(rewards.slice(0, 10));
    expect(batch.waiting).toEqual(rewards.slice(10));
    for (const { player, amount } of batch.paid) {
      expect(await lamportsOf(player)).toBe(10_000_000_000n + amount);
    }
  });

  test('two identical batches are two transactions, and both are paid', async () => {
    const lobby = await lobbies.paidLobby(SOL_LOBBY);
    const player = (await chain.newWallet()).address;
    const rewards = [{ player, amount: 5n }];
    await Promise.all([claim(lobby, rewards), claim(lobby, rewards)]);
    expect(await lamportsOf(player)).toBe(10_000_000_010n);
  });

  test('an empty wallet or a second reward of one player does not fail the batch', async () => {
    const lobby = await lobbies.paidLobby(SOL_LOBBY);
    const empty = { player: await emptyWallet(), amount: 890_879n };
    const rich = { player: (await chain.newWallet()).address, amount: 5n };
    const fresh = { player: await emptyWallet(), amount: 890_880n };
    const batch = await claim(lobby, [empty, rich, rich, fresh]);
    expect(batch).toMatchObject({ paid: [rich, fresh], waiting: [rich], unpayable: [empty] });
    expect(await lamportsOf(fresh.player)).toBe(890_880n);
  });

  test('a wallet that was assigned to a program is unpayable', async () => {
    const funds = { lamports: 10_000_000_000n, tokens: 1n };
    const [assigned, honest] = [await chain.newWallet(funds), await chain.newWallet(funds)];
    const assign = getAssignInstruction({ account: assigned, programAddress: chain.net.programId });
    await lobbies.finalize(await signInstructions(chain.rpc, assigned, [assign]));
    const rewards = [assigned, honest].map(({ address }) => ({ player: address, amount: 7n }));
    for (const terms of [SOL_LOBBY, TOKEN_LOBBY]) {
      const batch = await claim(await lobbies.paidLobby(terms), rewards);
      expect(batch).toMatchObject({ paid: [rewards[1]], unpayable: [rewards[0]] });
    }
  });

  test('a player without a token account is unpayable: none is created', async () => {
    const lobby = await lobbies.paidLobby(TOKEN_LOBBY);
    const [missing, honest] = [
      { player: await emptyWallet(), amount: 4n },
      { player: (await chain.newWallet({ lamports: 1_000_000n, tokens: 1n })).address, amount: 5n },
    ];
    const batch = await claim(lobby, [missing, honest]);
    expect(batch).toMatchObject({ paid: [honest], unpayable: [missing] });
    expect(await tokensOf(honest.player)).toBe(6n);
  });

  test('a token account its player gave away is unpayable', async () => {
    const lobby = await lobbies.paidLobby(TOKEN_LOBBY);
    const funds = { lamports: 10_000_000_000n, tokens: 1n };
    const [player, honest] = [await chain.newWallet(), await chain.newWallet(funds)];
    const { mint } = chain.net.testToken;
    const ata = await tokenAccountOf(player.address);
    const giveAway = await signInstructions(chain.rpc, player, [
      getCreateAssociatedTokenIdempotentInstruction({ payer: player, ata, owner: player.address, mint }),
      getSetAuthorityInstruction({
        owned: ata,
        owner: player,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: honest.address,
      }),
    ]);
    await lobbies.finalize(giveAway);
    const rewards = [player, honest].map(({ address }) => ({ player: address, amount: 2n }));
    expect(await claim(lobby, rewards)).toMatchObject({ paid: [rewards[1]], unpayable: [rewards[0]] });
  });
});

test('readLobby returns undefined after an empty lobby, in SOL or in a token, was removed', async () => {
  const { programId, superAdmin, testToken, treasury } = chain.net;
  await lobbies.createLobby({ lobbyId: 8n, entryFee: 1n }, undefined);
  await lobbies.createLobby({ lobbyId: 9n, entryFee: 1n }, testToken.mint);
  for (const lobbyId of [8n, 9n]) {
    const lobby = (await readLobby(chain.rpc, programId, lobbyId))!;
    expect(await readPool(chain.rpc, lobby)).toBe(0n);
    const accounts = {
      lobbyConfig: lobby.address,
      superAdmin,
      platformTreasury: treasury,
      maxSurplusAmount: 0n,
      ...(!lobby.isSolLobby && {
        rewardPoolTokenAccount: lobby.rewardPoolTokenAccount,
        tokenMint: lobby.tokenMint,
        tokenProgram: TOKEN_PROGRAM_ADDRESS,
      }),
    };
    await lobbies.sendAsAdmin(await getRemoveLobbyInstructionAsync(accounts, { programAddress: programId }));
    expect(await readLobby(chain.rpc, programId, lobbyId)).toBeUndefined();
  }
});

test.each([
  ['SOL', SOL_LOBBY],
  ['a token', TOKEN_LOBBY],
])(
  'claims in order pay ten players in %s once per number, by the super admin and by a payout key',
  async (_, terms) => {
    const { programId, superAdmin } = chain.net;
    const { lobbyId } = terms;
    const lobby = await lobbies.paidLobby(terms);
    await lobbies.sendAsAdmin(await createClaimCounterInstruction({ programId, superAdmin, lobbyId }));
    const rewards = await Promise.all(
      Array.from({ length: 10 }, async () => ({
        player: (await chain.newWallet({ lamports: 1_000_000n, tokens: 1n })).address,
        amount: 7n,
      })),
    );
    const request = { rpc: chain.rpc, programId, superAdmin, lobby, rewards, number: 0n };
    const [first, second] = await Promise.all(
      [1, 2].map(() => buildClaimBatch({ ...request, batchId: crypto.randomUUID() })),
    );
    expect(first!.paid).toHaveLength(10);
    const signed = await signForSending(first!.message!);
    await lobbies.finalize(signed);
    const again = await signForSending(second!.message!);
    await expect(lobbies.finalize(again)).rejects.toThrow();
    const { batchId } = first!.description;
    const counter = await readClaimCounter(chain.rpc, programId, lobbyId);
    expect(counter).toMatchObject({ nextNumber: 1n, lastBatchId: batchId });
    const reading = await readTransaction([chain.rpc], signed.signature);
    if (reading.kind !== 'read') throw new Error(reading.reason);
    expect(readClaim(reading.transaction, programId)).toEqual({
      memo: '',
      batchId,
      number: 0n,
      payments: rewards.map((reward) => ({ ...reward, ...poolOf(lobby) })),
    });

    const { payoutKey: key } = chain.net;
    const limits = { key: key.address, maxClaim: 70n, maxWindow: 100n, windowSlots: 100_000n };
    const grant = { programId, superAdmin, lobbyId, payoutKey: limits };
    await lobbies.sendAsAdmin(await setPayoutKeyInstruction(grant));
    const byKey = { ...request, number: 1n, payoutKey: { key: key.address, maxTotal: 69n } };
    const limited = await buildClaimBatch({ ...byKey, batchId: crypto.randomUUID() });
    // The tenth would exceed the limit.
    expect([limited.paid.length, limited.waiting.length]).toEqual([9, 1]);
    const paid = await signForSending(await buildClaimMessage(limited.description, key));
    await lobbies.finalize(paid);
    const found = await readTransaction([chain.rpc], paid.signature);
    if (found.kind !== 'read') throw new Error(found.reason);
    // Whoever reads claims from the chain sees no difference.
    expect(readClaim(found.transaction, programId)).toEqual({
      memo: '',
      batchId: limited.description.batchId,
      number: 1n,
      payments: rewards.slice(0, 9).map((reward) => ({ ...reward, ...poolOf(lobby) })),
    });
    expect(await readPayoutKey(chain.rpc, programId, lobbyId)).toMatchObject({ left: 100n - 63n });
  },
);

function poolOf(lobby: Lobby) {
  return { lobbyConfig: lobby.address, tokenMint: lobby.isSolLobby ? undefined : lobby.tokenMint };
}

async function claim(lobby: Lobby, rewards: readonly { player: Address; amount: bigint }[]) {
  const { programId, superAdmin } = chain.net;
  const batchId = crypto.randomUUID();
  const batch = await buildClaimBatch({
    rpc: chain.rpc,
    programId,
    superAdmin,
    lobby,
    rewards,
    batchId,
    proofs: ['proof', 'another'],
  });
  const signed = await signForSending(batch.message!);
  await lobbies.finalize(signed);
  const reading = await readTransaction([chain.rpc], signed.signature);
  if (reading.kind !== 'read') throw new Error(reading.reason);
  // The check of a match reads the same from the chain.
  const payments = batch.paid.map(({ player, amount }) => ({ player, amount, ...poolOf(lobby) }));
  expect(readClaim(reading.transaction, programId)).toEqual({
    memo: `${batchId} proof another`,
    batchId,
    number: undefined,
    payments,
  });
  return batch;
}

async function emptyWallet(): Promise<Address> {
  return (await chain.newWallet({ lamports: 0n, tokens: 0n })).address;
}

async function lamportsOf(wallet: Address): Promise<bigint> {
  return (await chain.rpc.getBalance(wallet).send()).value;
}

function tokenAccountOf(owner: Address): Promise<Address> {
  return findTokenAccount({ owner, mint: chain.net.testToken.mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
}

async function tokensOf(owner: Address): Promise<bigint> {
  const { value } = await chain.rpc.getTokenAccountBalance(await tokenAccountOf(owner)).send();
  return BigInt(value.amount);
}
