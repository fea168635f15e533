import { buildClaimBatch } from '@engulf/chain/claim-batch';
import { explainPaymentError } from '@engulf/chain/error-texts';
import { buildJoinTransaction, type JoinRequest } from '@engulf/chain/join-transaction';
import {
  createLobbyInstruction,
  editLobbyPriceInstruction,
  removeLobbyInstruction,
} from '@engulf/chain/lobby-admin';
import { findTokenAccount } from '@engulf/chain/pdas';
import { readLobby, readPool } from '@engulf/chain/read-configs';
import { signForSending } from '@engulf/chain/signed-transaction';
import { type PaymentToVerify, verifyPayment } from '@engulf/chain/verify-payment';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { getAssignInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  AuthorityType,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signInstructions, signTransfer } from './testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from './testing/test-localnet.ts';

const SOL_LOBBY = { lobbyId: 1n, entryFee: 100_000_019n };
const OTHER_SOL_LOBBY = { lobbyId: 2n, entryFee: 50_000_000n };
const TOKEN_LOBBY = { lobbyId: 3n, entryFee: 25_000_007n };

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet();
  const { testToken } = chain.net;
  await asAdmin(await createLobbyInstruction({ ...chain.net, ...SOL_LOBBY, tokenMint: undefined }));
  await asAdmin(await createLobbyInstruction({ ...chain.net, ...OTHER_SOL_LOBBY, tokenMint: undefined }));
  await asAdmin(await createLobbyInstruction({ ...chain.net, ...TOKEN_LOBBY, tokenMint: testToken.mint }));
});
afterAll(() => chain.dispose());

describe('verifyPayment', () => {
  test('recognises a SOL entry, first pending, then paid', async () => {
    const player = await chain.newWallet();
    const signed = await sign(player, SOL_LOBBY);
    expect(await verify(signed.signature, player.address)).toEqual({ kind: 'pending', reason: 'not-seen' });
    await chain.rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
    expect(await verify(signed.signature, player.address)).toEqual({ kind: 'pending', reason: 'not-final' });
    await chain.sendAndFinalize(signed, { skipPreflight: true });
    expect(await verify(signed.signature, player.address)).toMatchObject({
      kind: 'paid',
      payment: {
        player: player.address,
        entryFee: 100_000_019n,
        platformFee: 5_000_000n,
        stake: 95_000_019n,
      },
      surplus: [],
    });
  });

  test('recognises a token entry, whose accounts were created on the way', async () => {
    const player = await chain.newWallet({ lamports: 1_000_000_000n, tokens: 25_000_007n });
    const { signature } = await enter(player, TOKEN_LOBBY);
    const tokenMint = chain.net.testToken.mint;
    expect(await verify(signature, player.address, { ...TOKEN_LOBBY, tokenMint })).toMatchObject({
      kind: 'paid',
      payment: { tokenMint, platformFee: 1_250_000n, stake: 23_750_007n },
    });
  });

  test('refuses what paid another lobby, nobody, or another price', async () => {
    const player = await chain.newWallet();
    const elsewhere = await enter(player, OTHER_SOL_LOBBY);
    const nowhere = await signTransfer(chain.rpc, player, chain.net.treasury, 100_000_019n);
    await chain.sendAndFinalize(nowhere);
    const failure = { code: 'PAYMENT_DESTINATION_VERIFICATION_FAILED', context: undefined };
    for (const { signature } of [elsewhere, nowhere]) {
      expect(await verify(signature, player.address)).toEqual({ kind: 'refused', failure });
    }
    const { signature } = await enter(player, SOL_LOBBY);
    const expected = { ...SOL_LOBBY, entryFee: 100_000_018n };
    expect(await verify(signature, player.address, expected)).toEqual({ kind: 'refused', failure });
  });

  test('refuses a payment from another wallet, and a signature used before', async () => {
    const [player, stranger] = [await chain.newWallet(), await chain.newWallet()];
    const { signature } = await enter(stranger, SOL_LOBBY);
    expect(await verify(signature, player.address)).toMatchObject({
      failure: { code: 'WALLET_ADDRESS_MISMATCH' },
    });
    expect(await verify(signature, stranger.address, SOL_LOBBY, { isUsed: async () => true })).toMatchObject({
      failure: { code: 'DUPLICATE_TRANSACTION' },
    });
  });

  test('refuses a transaction that landed and failed, in the words of the program', async () => {
    const player = await chain.newWallet();
    const signed = await sign(player, OTHER_SOL_LOBBY);
    await asAdmin(
      await editLobbyPriceInstruction({ ...chain.net, ...OTHER_SOL_LOBBY, entryFee: 60_000_000n }),
    );
    const fate = await chain.sendAndFinalize(signed, { skipPreflight: true });
    await asAdmin(await editLobbyPriceInstruction({ ...chain.net, ...OTHER_SOL_LOBBY }));
    const reason = 'Entry fee differs from the one the player agreed to.';
    expect(fate).toEqual({ kind: 'failed', reason });
    expect(await verify(signed.signature, player.address, OTHER_SOL_LOBBY)).toEqual({
      kind: 'refused',
      failure: { code: 'TRANSACTION_FAILED', context: { reason } },
    });
  });

  test('gives up on an unknown signature once its blockhash must have expired', async () => {
    const player = await chain.newWallet();
    const signed = await sign(player, SOL_LOBBY);
    const height = await chain.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    const heardAt = (heardAtBlockHeight: bigint) =>
      verify(signed.signature, player.address, SOL_LOBBY, { heardAtBlockHeight });
    expect(await heardAt(height - 150n)).toMatchObject({ kind: 'pending' });
    expect(await heardAt(height - 183n)).toMatchObject({ failure: { code: 'TRANSACTION_FAILED' } });
  });

  test('finds the entry among other instructions, and reports further entries', async () => {
    const [player, friend] = [await chain.newWallet(), await chain.newWallet()];
    const others = [
      await joinInstruction(friend, SOL_LOBBY),
      getTransferSolInstruction({ source: player, destination: friend.address, amount: 1n }),
      await joinInstruction(player, OTHER_SOL_LOBBY),
    ];
    const message = appendTransactionMessageInstructions(others, await joinMessage(player, SOL_LOBBY));
    const signed = await signForSending(message);
    await chain.sendAndFinalize(signed);
    expect(await verify(signed.signature, player.address)).toMatchObject({
      kind: 'paid',
      payment: { player: player.address, stake: 95_000_019n },
      surplus: [
        { player: friend.address, stake: 95_000_019n },
        { player: player.address, stake: 47_500_000n },
      ],
    });
  });
});

describe('buildJoinTransaction', () => {
  test('refuses a treasury, a price or a lobby other than the one it was told', async () => {
    const player = await chain.newWallet();
    const build = (change: Partial<JoinRequest>) =>
      buildJoinTransaction({ rpc: chain.rpc, ...chain.net, ...SOL_LOBBY, player, ...change });
    const refusal = (code: string) => ({ ok: false, error: { code } });
    expect(await build({ treasury: player.address })).toMatchObject(refusal('TREASURY_MISMATCH'));
    expect(await build({ entryFee: 1n })).toMatchObject(refusal('PROGRAM_ENTRY_FEE_CHANGED'));
    expect(await build({ lobbyId: 404n })).toMatchObject(refusal('LOBBY_NOT_FOUND'));
    expect(await build({ programId: TOKEN_PROGRAM_ADDRESS })).toMatchObject(refusal('LOBBY_NOT_FOUND'));
  });

  test('creates only the token accounts that are missing', async () => {
    const player = await chain.newWallet({ lamports: 1_000_000_000n, tokens: 60_000_000n });
    await enter(player, TOKEN_LOBBY);
    expect((await joinMessage(player, TOKEN_LOBBY)).instructions).toHaveLength(1);
  });

  test('fails in words a player understands', async () => {
    const poor = await chain.newWallet({ lamports: 1_000_000n });
    const signed = await sign(poor, SOL_LOBBY);
    const error = await chain.rpc
      .sendTransaction(signed.wire, { encoding: 'base64' })
      .send()
      .catch((thrown: unknown) => thrown);
    expect(explainPaymentError(error).text).toBe('Insufficient SOL balance to join this lobby.');

    const rich = await chain.newWallet();
    const { wire } = await enter(rich, SOL_LOBBY);
    const again = await chain.rpc
      .sendTransaction(wire, { encoding: 'base64' })
      .send()
      .catch((thrown: unknown) => thrown);
    expect(explainPaymentError(again).text).toBe('Transaction already processed. Please wait a moment...');
  });
});

describe('buildClaimBatch', () => {
  test('pays ten players at once and leaves the rest', async () => {
    const lobby = await poolOf(SOL_LOBBY);
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
      expect((await chain.rpc.getBalance(player).send()).value).toBe(10_000_000_000n + amount);
    }
  });

  test('gives two batches alike two transactions', async () => {
    const lobby = await poolOf(SOL_LOBBY);
    const rewards = [{ player: (await chain.newWallet()).address, amount: 5n }];
    await Promise.all([claim(lobby, rewards), claim(lobby, rewards)]);
    expect((await chain.rpc.getBalance(rewards[0]!.player).send()).value).toBe(10_000_000_010n);
  });

  test('does not let an empty wallet or a second reward spoil a batch', async () => {
    const lobby = await poolOf(SOL_LOBBY);
    const empty = { player: await emptyWallet(), amount: 890_879n };
    const rich = { player: (await chain.newWallet()).address, amount: 5n };
    const fresh = { player: await emptyWallet(), amount: 890_880n };
    const batch = await claim(lobby, [empty, rich, rich, fresh]);
    expect(batch).toMatchObject({ paid: [rich, fresh], waiting: [rich], unpayable: [empty] });
    expect((await chain.rpc.getBalance(fresh.player).send()).value).toBe(890_880n);
  });

  test('passes over a wallet that was handed over to a program', async () => {
    const [given, honest] = [await chain.newWallet(), await chain.newWallet()];
    const assign = getAssignInstruction({ account: given, programAddress: chain.net.programId });
    await chain.sendAndFinalize(await signInstructions(chain.rpc, given, [assign]));
    const rewards = [given, honest].map(({ address }) => ({ player: address, amount: 7n }));
    for (const terms of [SOL_LOBBY, TOKEN_LOBBY]) {
      const batch = await claim(await poolOf(terms), rewards);
      expect(batch).toMatchObject({ paid: [rewards[1]], unpayable: [rewards[0]] });
    }
  });

  test('creates missing token accounts, for as many players as fit', async () => {
    const lobby = await poolOf(TOKEN_LOBBY);
    const rewards = await Promise.all(
      Array.from({ length: 10 }, async () => ({ player: await emptyWallet(), amount: 3n })),
    );
    const batch = await claim(lobby, rewards);
    expect(batch.paid.length).toBeGreaterThanOrEqual(6);
    expect(batch.paid.length + batch.waiting.length).toBe(10);
    for (const { player } of batch.paid) expect(await tokensOf(player)).toBe(3n);
    expect((await claim(lobby, batch.waiting)).paid).toEqual(batch.waiting);
    // Where every account exists, ten players fit.
    expect((await claim(lobby, rewards)).paid).toEqual(rewards);
  });

  test('creates no token account for a reward that needs one', async () => {
    const lobby = await poolOf(TOKEN_LOBBY);
    const win = { player: await emptyWallet(), amount: 4n };
    const refund = { player: await emptyWallet(), amount: 4n, needsTokenAccount: true };
    expect(await claim(lobby, [refund, win])).toMatchObject({ paid: [win], unpayable: [refund] });
    const refundToWinner = { ...refund, player: win.player };
    expect(await claim(lobby, [refundToWinner])).toMatchObject({ paid: [refundToWinner] });
    expect(await tokensOf(win.player)).toBe(8n);
  });

  test('passes over a token account its player gave away', async () => {
    const lobby = await poolOf(TOKEN_LOBBY);
    const [player, honest] = [await chain.newWallet(), await chain.newWallet()];
    const { mint } = chain.net.testToken;
    const ata = await tokenAccountOf(player.address);
    const give = await signInstructions(chain.rpc, player, [
      getCreateAssociatedTokenIdempotentInstruction({ payer: player, ata, owner: player.address, mint }),
      getSetAuthorityInstruction({
        owned: ata,
        owner: player,
        authorityType: AuthorityType.AccountOwner,
        newAuthority: honest.address,
      }),
    ]);
    await chain.sendAndFinalize(give);
    const rewards = [player, honest].map(({ address }) => ({ player: address, amount: 2n }));
    expect(await claim(lobby, rewards)).toMatchObject({ paid: [rewards[1]], unpayable: [rewards[0]] });
  });
});

describe('removing a lobby', () => {
  test('works for an empty one, also one nobody ever joined in a token', async () => {
    const tokenMint = chain.net.testToken.mint;
    await asAdmin(
      await createLobbyInstruction({ ...chain.net, lobbyId: 8n, entryFee: 1n, tokenMint: undefined }),
    );
    await asAdmin(await createLobbyInstruction({ ...chain.net, lobbyId: 9n, entryFee: 1n, tokenMint }));
    for (const [lobbyId, tokenProgram] of [
      [8n, undefined],
      [9n, TOKEN_PROGRAM_ADDRESS],
    ] as const) {
      const lobby = (await readLobby(chain.rpc, chain.net.programId, lobbyId))!;
      expect(await readPool(chain.rpc, lobby)).toBe(0n);
      await asAdmin(await removeLobbyInstruction({ ...chain.net, lobby, tokenProgram }));
      expect(await readLobby(chain.rpc, chain.net.programId, lobbyId)).toBeUndefined();
    }
  });
});

type LobbyTerms = {
  readonly lobbyId: bigint;
  readonly entryFee: bigint;
  readonly tokenMint?: Address;
};

async function asAdmin(instruction: Instruction): Promise<void> {
  const signed = await signInstructions(chain.rpc, chain.net.superAdmin, [instruction]);
  expect(await chain.sendAndFinalize(signed)).toMatchObject({ kind: 'finalized' });
}

async function joinMessage(player: KeyPairSigner, lobby: LobbyTerms) {
  const join = await buildJoinTransaction({ rpc: chain.rpc, ...chain.net, ...lobby, player });
  if (!join.ok) throw new Error(join.error.code);
  return join.value;
}

async function joinInstruction(player: KeyPairSigner, lobby: LobbyTerms): Promise<Instruction> {
  return (await joinMessage(player, lobby)).instructions[0]!;
}

async function sign(player: KeyPairSigner, lobby: LobbyTerms) {
  return signForSending(await joinMessage(player, lobby));
}

async function enter(player: KeyPairSigner, lobby: LobbyTerms) {
  const signed = await sign(player, lobby);
  expect(await chain.sendAndFinalize(signed)).toMatchObject({ kind: 'finalized' });
  return signed;
}

function verify(
  signature: Signature,
  wallet: Address,
  { lobbyId, entryFee, tokenMint }: LobbyTerms = SOL_LOBBY,
  change: Partial<PaymentToVerify> = {},
) {
  const { programId, treasury } = chain.net;
  return verifyPayment({
    rpc: chain.rpc,
    signature,
    expected: { programId, treasury, lobbyId, entryFee, wallet, tokenMint },
    heardAtBlockHeight: 1_000_000_000n,
    isUsed: async () => false,
    ...change,
  });
}

/** A lobby that someone has paid into. */
async function poolOf(terms: LobbyTerms) {
  const player = await chain.newWallet({ lamports: 1_000_000_000n, tokens: 25_000_007n });
  await enter(player, terms);
  return (await readLobby(chain.rpc, chain.net.programId, terms.lobbyId))!;
}

async function claim(
  lobby: Awaited<ReturnType<typeof poolOf>>,
  rewards: readonly { player: Address; amount: bigint }[],
) {
  const { programId, superAdmin } = chain.net;
  const batchId = crypto.randomUUID();
  const batch = await buildClaimBatch({ rpc: chain.rpc, programId, superAdmin, lobby, rewards, batchId });
  const fate = await chain.sendAndFinalize(await signForSending(batch.message!));
  expect(fate).toMatchObject({ kind: 'finalized' });
  return batch;
}

async function emptyWallet(): Promise<Address> {
  return (await chain.newWallet({ lamports: 0n, tokens: 0n })).address;
}

function tokenAccountOf(owner: Address): Promise<Address> {
  return findTokenAccount({ owner, mint: chain.net.testToken.mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });
}

async function tokensOf(owner: Address): Promise<bigint> {
  const { value } = await chain.rpc.getTokenAccountBalance(await tokenAccountOf(owner)).send();
  return BigInt(value.amount);
}
