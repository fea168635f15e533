import { buildClaimBatch } from '@engulf/chain/claim-batch';
import { buildJoinTransaction } from '@engulf/chain/join-transaction';
import { createLobbyInstruction } from '@engulf/chain/lobby-admin';
import { findTokenAccount } from '@engulf/chain/pdas';
import { readLobby, readPool } from '@engulf/chain/read-configs';
import { signForSending } from '@engulf/chain/signed-transaction';
import { TOKEN_2022_PROGRAM_ADDRESS } from '@engulf/chain/token-programs';
import { verifyPayment } from '@engulf/chain/verify-payment';
import { type Address, generateKeyPairSigner, type Instruction } from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signInstructions } from './testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from './testing/test-localnet.ts';

const tokenProgram = TOKEN_2022_PROGRAM_ADDRESS;

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet();
});
afterAll(() => chain.dispose());

it('takes entries and pays rewards in a Token-2022 token', async () => {
  const { rpc, net } = chain;
  const { programId, treasury, superAdmin } = net;
  const player = await chain.newWallet();
  const mint = await createMint(player.address, 1_000n);
  const terms = { lobbyId: 1n, entryFee: 1_000n };
  await asAdmin([await createLobbyInstruction({ ...net, ...terms, tokenMint: mint })]);

  const join = await buildJoinTransaction({ rpc, programId, treasury, player, ...terms });
  if (!join.ok) throw new Error(join.error.code);
  expect(join.value.instructions).toHaveLength(3);
  const signed = await signForSending(join.value);
  await chain.sendAndFinalize(signed);
  const verdict = await verifyPayment({
    rpc,
    signature: signed.signature,
    expected: { programId, treasury, ...terms, wallet: player.address, tokenMint: mint },
    heardAtBlockHeight: signed.lastValidBlockHeight,
    isUsed: async () => false,
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
