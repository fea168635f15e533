import { readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import { verifyPayment } from '@engulf/chain/payments/verify-payment';
import {
  AccountRole,
  type Address,
  address,
  compressTransactionMessageUsingAddressLookupTables,
  getAddressEncoder,
  getProgramDerivedAddress,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInstructions } from '../src/testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

const LOOKUP_TABLE_PROGRAM = address('AddressLookupTab1e1111111111111111111111111');

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet();
});
afterAll(() => chain.dispose());

test('a payment whose accounts come from a lookup table is verified and kept', async () => {
  const { rpc, net } = chain;
  const { programId, treasury, superAdmin } = net;
  const terms = { lobbyId: 1n, entryFee: 2_000_000n };
  const create = await createLobbyInstruction({ ...net, ...terms, tokenMint: undefined });
  await chain.sendAndFinalize(await signInstructions(rpc, superAdmin, [create]));
  const lobby = (await readLobby(rpc, programId, 1n))!;
  const player = await chain.newWallet();
  const table = await createTable(player, [lobby.address, treasury]);

  const join = await buildJoinTransaction({ rpc, programId, treasury, player, ...terms });
  if (!join.ok) throw new Error(join.error.code);
  const compressed = compressTransactionMessageUsingAddressLookupTables(join.value, {
    [table]: [lobby.address, treasury],
  });
  const signed = await signForSending(compressed);
  expect(signed.wire.length).toBeLessThan((await signForSending(join.value)).wire.length);
  expect(await chain.sendAndFinalize(signed)).toMatchObject({ kind: 'finalized' });

  const verdict = () =>
    verifyPayment({
      nodes: [rpc],
      signature: signed.signature,
      expected: { programId, ...terms, wallet: player.address, tokenMint: undefined },
      heardAtBlockHeight: signed.lastValidBlockHeight,
    });
  const paid = { kind: 'paid', payment: { lobbyConfig: lobby.address, treasury, stake: 1_900_000n } };
  expect(await verdict()).toMatchObject(paid);
  const treasuryBefore = (await rpc.getBalance(treasury).send()).value;

  await chain.restart();
  expect(await verdict()).toMatchObject(paid);
  expect((await rpc.getBalance(treasury).send()).value).toBe(treasuryBefore);
  expect(await readPool(rpc, (await readLobby(rpc, programId, 1n))!)).toBe(1_900_000n);
  expect(await rpc.getSignaturesForAddress(lobby.address).send()).toHaveLength(2);
});

async function createTable(authority: KeyPairSigner, addresses: readonly Address[]): Promise<Address> {
  const { rpc } = chain;
  const slot = await rpc.getSlot({ commitment: 'confirmed' }).send();
  const [table, bump] = await getProgramDerivedAddress({
    programAddress: LOOKUP_TABLE_PROGRAM,
    seeds: [getAddressEncoder().encode(authority.address), getU64Encoder().encode(slot)],
  });
  const instruction = (data: number[]): Instruction => ({
    programAddress: LOOKUP_TABLE_PROGRAM,
    accounts: [
      { address: table, role: AccountRole.WRITABLE },
      { address: authority.address, role: AccountRole.READONLY_SIGNER },
      { address: authority.address, role: AccountRole.WRITABLE_SIGNER },
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
    ],
    data: Uint8Array.from(data),
  });
  const create = [...getU32Encoder().encode(0), ...getU64Encoder().encode(slot), bump];
  const keys = addresses.flatMap((key) => [...getAddressEncoder().encode(key)]);
  const extend = [...getU32Encoder().encode(2), ...getU64Encoder().encode(addresses.length), ...keys];
  const signed = await signInstructions(rpc, authority, [instruction(create), instruction(extend)]);
  expect(await chain.sendAndFinalize(signed)).toMatchObject({ kind: 'finalized' });
  return table;
}
