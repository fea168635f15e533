import { AccountRole } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';
import { copyAccount, setLamports } from './world/forgery.ts';
import { createLobby, type Lobby, requestLobby } from './world/lobby.ts';
import { outcomeOf } from './world/outcome.ts';
import { NO_ADDRESS, readLobby } from './world/state.ts';
import {
  associatedTokenAccount,
  createMint,
  createMultisig,
  giveTokens,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './world/tokens.ts';
import { balanceOf, createWorld, findLobby, instruction, SOL, send, type World } from './world/world.ts';

let world: World;
let wanted: Lobby;
beforeEach(async () => {
  world = await createWorld();
  wanted = { id: 7n, address: await findLobby(world, 7n), entryFee: SOL, pool: undefined };
});

test('create_lobby creates a SOL lobby at its derived address, with its rent', async () => {
  expect(outcomeOf(await requestLobby(world, wanted))).toBe('ok');
  expect(readLobby(world, wanted.address)).toMatchObject({
    lobby_id: 7n,
    token_mint: NO_ADDRESS,
    entry_fee_amount: SOL,
    reward_pool_token_account: NO_ADDRESS,
    is_sol_lobby: true,
  });
  expect(balanceOf(world, wanted.address)).toBe(world.svm.minimumBalanceForRentExemption(98n));
});

test.each([TOKEN_PROGRAM, TOKEN_2022_PROGRAM])(
  'create_lobby creates a token lobby for a mint of %s',
  async (tokenProgram) => {
    const mint = await createMint(world, { tokenProgram });
    const lobby = await createLobby(world, { entryFee: 5n, mint });
    expect(readLobby(world, lobby.address)).toMatchObject({
      token_mint: mint.address,
      entry_fee_amount: 5n,
      reward_pool_token_account: await associatedTokenAccount(lobby.address, mint),
      is_sol_lobby: false,
    });
  },
);

test.each([0n, 1n, 2n ** 64n - 1n])(
  'create_lobby accepts the lobby id %i and the highest entry fee',
  async (id) => {
    const lobby = await createLobby(world, { id, entryFee: 2n ** 64n - 1n });
    expect(readLobby(world, lobby.address)).toMatchObject({ lobby_id: id, entry_fee_amount: 2n ** 64n - 1n });
  },
);

test('create_lobby is for the super admin only', async () => {
  const asStranger = { super_admin: world.stranger };
  expect(outcomeOf(await requestLobby(world, wanted, asStranger, world.stranger))).toBe('Unauthorized');
  const unsigned = { super_admin: world.superAdmin.address };
  expect(outcomeOf(await requestLobby(world, wanted, unsigned, world.stranger))).toBe(
    'MissingRequiredSignature',
  );
});

test('create_lobby refuses an entry fee of zero', async () => {
  expect(outcomeOf(await requestLobby(world, { ...wanted, entryFee: 0n }))).toBe('ZeroEntryFee');
});

test('create_lobby refuses a lobby that already exists', async () => {
  await requestLobby(world, wanted);
  expect(outcomeOf(await requestLobby(world, { ...wanted, entryFee: 1n }))).toBe('AccountAlreadyInitialized');
  expect(readLobby(world, wanted.address)).toMatchObject({ entry_fee_amount: SOL });
});

test('create_lobby cannot be blocked by lamports sent to the address beforehand', async () => {
  setLamports(world, wanted.address, 1n);
  expect(outcomeOf(await requestLobby(world, wanted))).toBe('ok');
  expect(balanceOf(world, wanted.address)).toBe(world.svm.minimumBalanceForRentExemption(98n));
});

test('create_lobby refuses the address of another lobby', async () => {
  expect(outcomeOf(await requestLobby(world, { ...wanted, id: 8n }))).toBe('InvalidAccount');
});

test('create_lobby refuses a forged global config', async () => {
  const forged = await copyAccount(world, world.globalConfig, { owner: TOKEN_PROGRAM });
  expect(outcomeOf(await requestLobby(world, wanted, { global_config: forged }))).toBe('InvalidAccount');
});

test('create_lobby refuses another program in place of the system program', async () => {
  expect(outcomeOf(await requestLobby(world, wanted, { system_program: TOKEN_PROGRAM }))).toBe(
    'InvalidAccount',
  );
});

test('create_lobby refuses a mint for a SOL lobby and a token lobby without one', async () => {
  const mint = await createMint(world);
  const token = (await createLobby(world, { id: 1n, entryFee: 5n, mint })).pool;
  expect(outcomeOf(await requestLobby(world, wanted, { token_mint: mint.address }))).toBe(
    'IncorrectLobbyType',
  );
  const withoutMint = { token_mint: undefined };
  expect(outcomeOf(await requestLobby(world, { ...wanted, pool: token }, withoutMint))).toBe(
    'IncorrectLobbyType',
  );
});

test('create_lobby refuses a mint account that is not a mint', async () => {
  const mint = await createMint(world);
  const { pool } = await createLobby(world, { id: 1n, entryFee: 5n, mint });
  const tokenAccount = await giveTokens(world, mint, world.player.address, 1n);
  const forgedMultisig = createMultisig(world, 1);
  const forgedMint = await copyAccount(world, mint.address, { owner: world.program });
  for (const wrong of [tokenAccount, forgedMint, forgedMultisig, world.player.address, TOKEN_PROGRAM]) {
    const changes = { token_mint: wrong };
    expect(outcomeOf(await requestLobby(world, { ...wanted, pool }, changes))).toBe('IncorrectTokenMint');
  }
});

test('create_lobby refuses a config account that is not writable, and a boolean other than 0 or 1', async () => {
  const call = {
    name: 'create_lobby',
    accounts: {
      global_config: world.globalConfig,
      lobby_config: wanted.address,
      super_admin: world.superAdmin,
    },
    args: { lobby_id: 7n, entry_fee_amount: SOL, is_sol_lobby: true },
  };
  const good = instruction(world, call);
  const readOnly = good.accounts.with(1, { address: wanted.address, role: AccountRole.READONLY });
  expect(outcomeOf(await send(world, world.superAdmin, [{ ...good, accounts: readOnly }]))).toBe(
    'PrivilegeEscalation',
  );
  const data = good.data.with(good.data.length - 1, 2);
  expect(outcomeOf(await send(world, world.superAdmin, [{ ...good, data }]))).toBe('InvalidInstructionData');
});
