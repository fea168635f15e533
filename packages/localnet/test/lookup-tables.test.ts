import { readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildJoinTransaction } from '@engulf/chain/payments/join-transaction';
import { verifyPayment } from '@engulf/chain/payments/verify-payment';
import { compressTransactionMessageUsingAddressLookupTables } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInstructions } from '../src/testing/load.ts';
import { createLookupTable } from '../src/testing/lookup-table.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

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
  const table = await createLookupTable(chain, player, [lobby.address, treasury]);

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
