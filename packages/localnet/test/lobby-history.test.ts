import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { listTransactions } from '@engulf/chain/node/lobby-history';
import { readTransaction } from '@engulf/chain/node/read-transaction';
import { readJoinPayments } from '@engulf/chain/payments/join-payments';
import type { Signature } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInstructions, signJoin } from '../src/testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from '../src/testing/test-localnet.ts';

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet();
});
afterAll(() => chain.dispose());

test('listTransactions lists all payments of a lobby in order, from any slot, also after a restart', async () => {
  const { rpc, net } = chain;
  const { programId, treasury, superAdmin } = net;
  const terms = [1n, 2n].map((lobbyId) => ({ lobbyId, entryFee: 1_000_000n * lobbyId }));
  for (const lobby of terms) {
    const create = await createLobbyInstruction({ programId, superAdmin, ...lobby, tokenMint: undefined });
    await chain.sendAndFinalize(await signInstructions(rpc, superAdmin, [create]));
  }
  const player = await chain.newWallet();
  const signatures: Signature[] = [];
  for (let tag = 1; tag <= 5; tag++) {
    for (const lobby of terms) {
      const signed = await signJoin({ rpc, programId, treasury, player, ...lobby }, tag);
      await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
      if (lobby.lobbyId === 1n) signatures.push(signed.signature);
      if (tag === 5) await chain.sendAndFinalize(signed, { skipPreflight: true });
    }
    if (tag === 3) await chain.restart();
  }

  const lobbyConfig = await findLobbyConfig(programId, 1n);
  const list = (sinceSlot: bigint) => listTransactions({ rpc, account: lobbyConfig, sinceSlot, pageSize: 2 });
  const paymentsOf = async (signature: Signature) => {
    const reading = await readTransaction([rpc], signature);
    if (reading.kind === 'unreadable') throw new Error(reading.reason);
    return readJoinPayments(reading.transaction, programId).filter(
      (payment) => payment.lobbyConfig === lobbyConfig,
    );
  };
  const all = await list(0n);
  const payments = await Promise.all(all.map(({ signature }) => paymentsOf(signature)));
  expect(payments.map(({ length }) => length)).toEqual([0, 1, 1, 1, 1, 1]);
  expect(all.slice(1).map(({ signature }) => signature)).toEqual(signatures);
  expect(payments.at(-1)).toMatchObject([{ lobbyConfig, player: player.address, stake: 950_000n }]);
  const { slot } = all.find(({ signature }) => signature === signatures[3])!;
  expect((await list(slot)).map(({ signature }) => signature)).toEqual(signatures.slice(3));
  expect(await list(all.at(-1)!.slot + 1n)).toEqual([]);
});
