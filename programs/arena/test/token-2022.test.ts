import { getFreezeAccountInstruction, getThawAccountInstruction } from '@solana-program/token';
import { beforeEach, expect, test } from 'vitest';
import { claim, createLobby, join, type Lobby, requestLobby } from './world/lobby.ts';
import { mintExtensions } from './world/mint-extensions.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  associatedTokenAccount,
  createMint,
  giveTokens,
  type Mint,
  type MintExtension,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  tokenBalance,
} from './world/tokens.ts';
import { createWorld, findLobby, send, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

async function lobbyFor(mint: Mint): Promise<Lobby> {
  const address = await findLobby(world, 7n);
  const reward_pool_token_account = await associatedTokenAccount(address, mint);
  const pool = { reward_pool_token_account, token_mint: mint.address, token_program: mint.tokenProgram };
  return { id: 7n, address, entryFee: 1000n, pool };
}

const extended = (...extensions: MintExtension[]) =>
  createMint(world, {
    tokenProgram: TOKEN_2022_PROGRAM,
    extensions,
    freezeAuthority: world.superAdmin.address,
  });

const { metadataPointer, groupPointer, groupMemberPointer, ...dangerous } = mintExtensions;

test.each(Object.entries(dangerous))('create_lobby refuses a mint with %s', async (_, extension) => {
  const mint = await extended(extension);
  expect(outcomeOf(await requestLobby(world, await lobbyFor(mint)))).toBe('UnsupportedMint');
});

test('create_lobby refuses a dangerous extension after a harmless one', async () => {
  const mint = await extended(metadataPointer, dangerous.permanentDelegate);
  expect(outcomeOf(await requestLobby(world, await lobbyFor(mint)))).toBe('UnsupportedMint');
});

test('a lobby works with a mint whose extensions only describe it', async () => {
  const mint = await extended(metadataPointer, groupPointer, groupMemberPointer);
  const lobby = await createLobby(world, { entryFee: 1000n, mint });
  const tokens = await giveTokens(world, mint, world.player.address, 1000n);
  await giveTokens(world, mint, world.treasury.address, 0n);
  await giveTokens(world, mint, lobby.address, 0n);
  expectOk(await join(world, lobby));
  expectOk(await claim(world, lobby, world.player.address, 950n));
  expect(tokenBalance(world, tokens)).toBe(950n);
});

test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
  'a freeze authority can block the payouts of a pool but not take from it (%s)',
  async (tokenProgram) => {
    const mint = await createMint(world, { tokenProgram, freezeAuthority: world.superAdmin.address });
    const lobby = await createLobby(world, { entryFee: 1000n, mint });
    const account = await giveTokens(world, mint, lobby.address, 950n);
    await giveTokens(world, mint, world.player.address, 0n);
    const target = { account, mint: mint.address, owner: world.superAdmin };
    const program = { programAddress: tokenProgram };
    expectOk(await send(world, world.superAdmin, [getFreezeAccountInstruction(target, program)]));
    expect(outcomeOf(await claim(world, lobby, world.player.address, 950n))).toBe('Custom(17)'); // account frozen
    expectOk(await send(world, world.superAdmin, [getThawAccountInstruction(target, program)]));
    expect(outcomeOf(await claim(world, lobby, world.player.address, 950n))).toBe('ok');
  },
);
