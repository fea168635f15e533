import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyAccount, setLamports } from './world/forgery.ts';
import { createLobby, join, type Lobby, requestLobby } from './world/lobby.ts';
import { expectOk, outcomeOf } from './world/outcome.ts';
import {
  associatedTokenAccount,
  createMint,
  giveTokens,
  type Mint,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './world/tokens.ts';
import { call, createWorld, findLobby, SOL, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

function setTreasury(platform_treasury: Address) {
  const accounts = { global_config: world.globalConfig, super_admin: world.superAdmin, platform_treasury };
  return call(world, { name: 'set_platform_treasury', accounts });
}

describe('the treasury', () => {
  test('cannot be a lobby that exists', async () => {
    const lobby = await createLobby(world, { entryFee: SOL });
    expect(outcomeOf(await setTreasury(lobby.address))).toBe('IncorrectTreasury');
  });

  test('cannot become a lobby: creating one at its address is refused', async () => {
    const address = await findLobby(world, 8n);
    setLamports(world, address, SOL);
    expectOk(await setTreasury(address));
    const lobby: Lobby = { id: 8n, address, entryFee: SOL, pool: undefined };
    expect(outcomeOf(await requestLobby(world, lobby))).toBe('IncorrectTreasury');
  });

  test('cannot become the pool of a token lobby', async () => {
    const mint = await createMint(world);
    const address = await findLobby(world, 8n);
    const pool = await associatedTokenAccount(address, mint);
    setLamports(world, pool, SOL);
    expectOk(await setTreasury(pool));
    const tokens = {
      reward_pool_token_account: pool,
      token_mint: mint.address,
      token_program: mint.tokenProgram,
    };
    const lobby: Lobby = { id: 8n, address, entryFee: SOL, pool: tokens };
    expect(outcomeOf(await requestLobby(world, lobby))).toBe('IncorrectTreasury');
  });
});

describe.each([
  ['SPL Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022_PROGRAM],
])('the platform fee of a %s lobby', (_, tokenProgram) => {
  let mint: Mint;
  let lobby: Lobby;
  beforeEach(async () => {
    mint = await createMint(world, { tokenProgram });
    lobby = await createLobby(world, { entryFee: 1000n, mint });
    await giveTokens(world, mint, world.player.address, 1000n);
    await giveTokens(world, mint, lobby.address, 0n);
  });

  test('cannot be sent to another token account of the treasury', async () => {
    const associated = await giveTokens(world, mint, world.treasury.address, 0n);
    const other = await copyAccount(world, associated);
    const changes = { treasury_token_account: other };
    expect(outcomeOf(await join(world, lobby, { changes }))).toBe('IncorrectTreasury');
    expect(outcomeOf(await join(world, lobby))).toBe('ok');
  });
});
