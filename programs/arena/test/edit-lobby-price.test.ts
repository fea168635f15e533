import { beforeEach, expect, test } from 'vitest';
import { copyAccount } from './world/forgery.ts';
import { createLobby, editPrice, join, type Lobby } from './world/lobby.ts';
import { outcomeOf } from './world/outcome.ts';
import { readLobby } from './world/state.ts';
import { TOKEN_PROGRAM } from './world/tokens.ts';
import { createWorld, SOL, type World } from './world/world.ts';

let world: World;
let lobby: Lobby;
beforeEach(async () => {
  world = await createWorld();
  lobby = await createLobby(world, { entryFee: SOL });
});

test('edit_lobby_price changes the price and nothing else', async () => {
  const before = readLobby(world, lobby.address);
  expect(outcomeOf(await editPrice(world, lobby, 2n ** 64n - 1n))).toBe('ok');
  expect(readLobby(world, lobby.address)).toEqual({ ...before, entry_fee_amount: 2n ** 64n - 1n });
});

test('edit_lobby_price fails a join that agreed to the old price, higher or lower', async () => {
  for (const price of [SOL + 1n, SOL - 1n]) {
    await editPrice(world, lobby, price);
    expect(outcomeOf(await join(world, lobby, { expectedEntryFee: SOL }))).toBe('EntryFeeChanged');
    expect(outcomeOf(await join(world, lobby, { expectedEntryFee: price }))).toBe('ok');
  }
});

test('edit_lobby_price is for the super admin only', async () => {
  const asStranger = { super_admin: world.stranger };
  expect(outcomeOf(await editPrice(world, lobby, 1n, asStranger, world.stranger))).toBe('Unauthorized');
  const unsigned = { super_admin: world.superAdmin.address };
  expect(outcomeOf(await editPrice(world, lobby, 1n, unsigned, world.stranger))).toBe(
    'MissingRequiredSignature',
  );
});

test('edit_lobby_price refuses a price of zero', async () => {
  expect(outcomeOf(await editPrice(world, lobby, 0n))).toBe('ZeroEntryFee');
});

test('edit_lobby_price refuses any account but a lobby', async () => {
  for (const forged of [
    world.globalConfig,
    world.player.address,
    await copyAccount(world, lobby.address),
    await copyAccount(world, lobby.address, { owner: TOKEN_PROGRAM }),
  ]) {
    expect(outcomeOf(await editPrice(world, lobby, 1n, { lobby_config: forged }))).toBe('InvalidAccount');
  }
});
