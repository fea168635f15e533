import { findTokenAccount, TOKEN_2022_PROGRAM_ADDRESS } from '@engulf/chain/accounts/pdas';
import { readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import { verifyPayment } from '@engulf/chain/payments/verify-payment';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import {
  AccountRole,
  type Address,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { getCreateAccountInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInstructions } from '../src/testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet();
});
afterAll(() => chain.dispose());

test('a Token-2022 lobby takes entries and pays rewards', async () => {
  const { rpc, net } = chain;
  const { programId, treasury, superAdmin } = net;
  const player = await chain.newWallet();
  const mint = await createMint(player.address, 1_000n);
  const terms = { lobbyId: 1n, entryFee: 1_000n };
  await asAdmin([await createLobbyInstruction({ ...net, ...terms, tokenMint: mint })]);

  const join = await buildJoinTransaction({ rpc, programId, treasury, player, ...terms });
  if (!join.ok) throw new Error(join.error.code);
  expect(join.value.instructions).toHaveLength(3 + 2);
  const signed = await signForSending(join.value);
  await chain.sendAndFinalize(signed);
  const verdict = await verifyPayment({
    nodes: [rpc],
    signature: signed.signature,
    expected: { programId, ...terms, wallet: player.address, tokenMint: mint },
    heardAtBlockHeight: signed.lastValidBlockHeight,
  });
  expect(verdict).toMatchObject({ kind: 'paid', payment: { platformFee: 50n, stake: 950n } });

  const lobby = (await readLobby(rpc, programId, 1n))!;
  expect(await readPool(rpc, lobby)).toBe(950n);
  const winner = { player: (await generateKeyPairSigner()).address, amount: 950n };
  const batch = await buildClaimBatch({ rpc, programId, lobby, superAdmin, rewards: [winner], batchId: 'a' });
  await chain.sendAndFinalize(await signForSending(batch.message!));
  expect(await readPool(rpc, lobby)).toBe(0n);
  const account = await findTokenAccount({ owner: winner.player, mint, tokenProgram });
  expect((await rpc.getTokenAccountBalance(account).send()).value.amount).toBe('950');
});

test('a token account that requires memos is unpayable until it no longer does', async () => {
  const { rpc, net } = chain;
  const { programId, treasury, superAdmin } = net;
  const [player, demanding] = [await chain.newWallet(), await chain.newWallet()];
  const mint = await createMint(player.address, 1_000n);
  const terms = { lobbyId: 2n, entryFee: 1_000n };
  await asAdmin([await createLobbyInstruction({ ...net, ...terms, tokenMint: mint })]);
  const join = await buildJoinTransaction({ rpc, programId, treasury, player, ...terms });
  if (!join.ok) throw new Error(join.error.code);
  await chain.sendAndFinalize(await signForSending(join.value));

  const lobby = (await readLobby(rpc, programId, 2n))!;
  const rewards = [demanding, player].map(({ address }) => ({ player: address, amount: 5n }));
  const build = () => buildClaimBatch({ rpc, programId, lobby, superAdmin, rewards, batchId: 'b' });
  const demand = async (isRequired: boolean) =>
    chain.sendAndFinalize(
      await signInstructions(rpc, demanding, await memoInstructions(demanding, mint, isRequired)),
    );
  expect(await demand(true)).toMatchObject({ kind: 'finalized' });
  const batch = await build();
  expect(batch).toMatchObject({ paid: [rewards[1]], unpayable: [rewards[0]] });
  expect(await chain.sendAndFinalize(await signForSending(batch.message!))).toMatchObject({
    kind: 'finalized',
  });
  expect(await demand(false)).toMatchObject({ kind: 'finalized' });
  expect(await build()).toMatchObject({ paid: rewards, unpayable: [] });
});

/** Built by hand: the SPL Token client lacks these instructions. */
async function memoInstructions(
  owner: KeyPairSigner,
  mint: Address,
  isRequired: boolean,
): Promise<Instruction[]> {
  const ata = await findTokenAccount({ owner: owner.address, mint, tokenProgram });
  const account = { address: ata, role: AccountRole.WRITABLE };
  const payer = { address: owner.address, role: AccountRole.WRITABLE_SIGNER };
  const authority = { address: owner.address, role: AccountRole.READONLY_SIGNER };
  const system = { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY };
  const [reallocate, memoTransfer, memoExtension] = [29, 30, 8];
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: owner,
      ata,
      owner: owner.address,
      mint,
      tokenProgram,
    }),
    {
      programAddress: tokenProgram,
      accounts: [account, payer, system, authority],
      data: Uint8Array.of(reallocate, memoExtension, 0),
    },
    {
      programAddress: tokenProgram,
      accounts: [account, authority],
      data: Uint8Array.of(memoTransfer, isRequired ? 0 : 1),
    },
  ];
}

async function createMint(holder: Address, amount: bigint): Promise<Address> {
  const { superAdmin: payer } = chain.net;
  const newMint = await generateKeyPairSigner();
  const mint = newMint.address;
  const space = getMintSize();
  const ata = await findTokenAccount({ owner: holder, mint, tokenProgram });
  const rent = await chain.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send();
  const inToken2022 = { programAddress: tokenProgram };
  await asAdmin([
    getCreateAccountInstruction({
      payer,
      newAccount: newMint,
      lamports: rent,
      space,
      programAddress: tokenProgram,
    }),
    getInitializeMint2Instruction({ mint, decimals: 2, mintAuthority: payer.address }, inToken2022),
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner: holder, mint, tokenProgram }),
    getMintToInstruction({ mint, token: ata, mintAuthority: payer, amount }, inToken2022),
  ]);
  return mint;
}

async function asAdmin(instructions: readonly Instruction[]): Promise<void> {
  const signed = await signInstructions(chain.rpc, chain.net.superAdmin, instructions);
  expect(await chain.sendAndFinalize(signed)).toMatchObject({ kind: 'finalized' });
}
