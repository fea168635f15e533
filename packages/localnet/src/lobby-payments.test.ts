import { createLobbyInstruction } from '@engulf/chain/lobby-admin';
import { type LobbyTransaction, readLobbyTransactions } from '@engulf/chain/lobby-payments';
import { findLobbyConfig } from '@engulf/chain/pdas';
import type { Signature } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signInstructions, signJoin } from './testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from './testing/test-localnet.ts';

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet();
});
afterAll(() => chain.dispose());

test('readLobbyTransactions reads all payments in order, resumes anywhere, and survives a restart', async () => {
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
  const read = async (after?: Signature) => {
    const found: LobbyTransaction[] = [];
    const request = { rpc, programId, lobbyConfig, after, pageSize: 2 };
    for await (const transaction of readLobbyTransactions(request)) found.push(transaction);
    return found;
  };
  const all = await read();
  expect(all.map(({ payments }) => payments.length)).toEqual([0, 1, 1, 1, 1, 1]);
  expect(all.slice(1).map(({ signature }) => signature)).toEqual(signatures);
  expect(all.at(-1)?.payments).toMatchObject([{ lobbyConfig, player: player.address, stake: 950_000n }]);
  expect((await read(signatures[2])).map(({ signature }) => signature)).toEqual(signatures.slice(3));
  expect(await read(signatures[4])).toEqual([]);
});
