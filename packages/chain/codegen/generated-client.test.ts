import { address, createNoopSigner } from '@solana/kit';
import { expect, test } from 'vitest';
import { findGlobalConfig, findLobbyConfig } from '../src/accounts/pdas.ts';
import { getCreateLobbyInstructionAsync } from '../src/generated/instructions/createLobby.ts';
import {
  getJoinLobbyInstructionAsync,
  parseJoinLobbyInstruction,
} from '../src/generated/instructions/joinLobby.ts';
import { staleFiles } from './render.ts';

test('the committed client matches the committed IDL', async () => {
  expect(await staleFiles()).toEqual([]);
});

const programAddress = address('Stake11111111111111111111111111111111111111');

test('an instruction derives its accounts from the program it addresses', async () => {
  const superAdmin = createNoopSigner(address('Vote111111111111111111111111111111111111111'));
  const instruction = await getCreateLobbyInstructionAsync(
    { superAdmin, lobbyId: 7n, entryFeeAmount: 1n, isSolLobby: true },
    { programAddress },
  );
  expect(instruction.accounts[0].address).toBe(await findGlobalConfig(programAddress));
  expect(instruction.accounts[1].address).toBe(await findLobbyConfig(programAddress, 7n));
});

test('absent optional accounts are recognized at any program address', async () => {
  const player = createNoopSigner(address('Vote111111111111111111111111111111111111111'));
  const lobbyConfig = await findLobbyConfig(programAddress, 7n);
  const instruction = await getJoinLobbyInstructionAsync(
    { lobbyConfig, player, platformTreasury: player.address, expectedEntryFeeAmount: 5n, minStakeAmount: 4n },
    { programAddress },
  );
  const { accounts, data } = parseJoinLobbyInstruction(instruction);
  expect(accounts.tokenMint).toBeUndefined();
  expect(accounts.lobbyConfig.address).toBe(lobbyConfig);
  expect(data).toMatchObject({ expectedEntryFeeAmount: 5n, minStakeAmount: 4n });
});
