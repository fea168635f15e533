import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import { beforeEach, describe, expect, test } from 'vitest';
import { copyAccount } from './world/forgery.ts';
import { createLobby, join } from './world/lobby.ts';
import { outcomeOf, type Result } from './world/outcome.ts';
import { readGlobalConfig } from './world/state.ts';
import { TOKEN_PROGRAM } from './world/tokens.ts';
import { type Call, call, createWorld, SOL, type World } from './world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});

type Accounts = Call['accounts'];
type Setter = (accounts?: Accounts, payer?: KeyPairSigner) => Promise<Result>;

const setFee = (basisPoints: number, accounts: Accounts = {}, payer = world.superAdmin) =>
  call(world, {
    payer,
    name: 'set_platform_fee',
    accounts: { global_config: world.globalConfig, super_admin: world.superAdmin, ...accounts },
    args: { platform_fee_basis_points: basisPoints },
  });

const setTreasury = (accounts: Accounts = {}, payer = world.superAdmin) =>
  call(world, {
    payer,
    name: 'set_platform_treasury',
    accounts: {
      global_config: world.globalConfig,
      super_admin: world.superAdmin,
      platform_treasury: world.stranger.address,
      ...accounts,
    },
  });

const setSuperAdmin = (accounts: Accounts = {}, payer = world.superAdmin) =>
  call(world, {
    payer,
    name: 'set_super_admin',
    accounts: {
      global_config: world.globalConfig,
      super_admin: world.superAdmin,
      new_super_admin: world.stranger,
      ...accounts,
    },
  });

describe.each<[string, Setter]>([
  ['set_platform_fee', (...rest) => setFee(1, ...rest)],
  ['set_platform_treasury', setTreasury],
  ['set_super_admin', setSuperAdmin],
])('%s', (_, set) => {
  test('is for the super admin only', async () => {
    const before = readGlobalConfig(world);
    expect(outcomeOf(await set({ super_admin: world.stranger }, world.stranger))).toBe('Unauthorized');
    expect(outcomeOf(await set({ super_admin: world.upgradeAuthority }, world.upgradeAuthority))).toBe(
      'Unauthorized',
    );
    const unsigned = { super_admin: world.superAdmin.address };
    expect(outcomeOf(await set(unsigned, world.stranger))).toBe('MissingRequiredSignature');
    expect(readGlobalConfig(world)).toEqual(before);
  });

  test('refuses any account but the global config', async () => {
    const lobby = await createLobby(world, { entryFee: SOL });
    for (const forged of [
      lobby.address,
      world.treasury.address,
      await copyAccount(world, world.globalConfig),
      await copyAccount(world, world.globalConfig, { owner: TOKEN_PROGRAM }),
    ]) {
      expect(outcomeOf(await set({ global_config: forged }))).toBe('InvalidAccount');
    }
  });
});

test('set_platform_fee changes the fee and nothing else', async () => {
  const before = readGlobalConfig(world);
  for (const basisPoints of [0, 2_000]) {
    expect(outcomeOf(await setFee(basisPoints))).toBe('ok');
    expect(readGlobalConfig(world)).toEqual({ ...before, platform_fee_basis_points: basisPoints });
  }
});

test('set_platform_fee refuses more than the cap of 2000 basis points', async () => {
  expect(outcomeOf(await setFee(2_001))).toBe('FeeAboveCap');
  expect(outcomeOf(await setFee(10_000))).toBe('FeeAboveCap');
});

test('set_platform_fee refuses more than 10000 basis points as no percentage at all', async () => {
  expect(outcomeOf(await setFee(10_001))).toBe('InvalidFeePercentage');
  expect(outcomeOf(await setFee(65_535))).toBe('InvalidFeePercentage');
});

test('set_platform_treasury redirects later fees, and joins with the old treasury fail', async () => {
  const before = readGlobalConfig(world);
  const lobby = await createLobby(world, { entryFee: SOL });
  expect(outcomeOf(await setTreasury())).toBe('ok');
  expect(readGlobalConfig(world)).toEqual({ ...before, platform_treasury: world.stranger.address });
  expect(outcomeOf(await join(world, lobby))).toBe('IncorrectTreasury');
  const changes = { platform_treasury: world.stranger.address };
  expect(outcomeOf(await join(world, lobby, { changes }))).toBe('ok');
});

test('set_platform_treasury refuses anything but a wallet that holds its rent', async () => {
  const unfunded = (await generateKeyPairSigner()).address;
  for (const treasury of [unfunded, world.globalConfig, TOKEN_PROGRAM]) {
    expect(outcomeOf(await setTreasury({ platform_treasury: treasury }))).toBe('IncorrectTreasury');
  }
});

test('set_super_admin hands the role over', async () => {
  const before = readGlobalConfig(world);
  expect(outcomeOf(await setSuperAdmin())).toBe('ok');
  expect(readGlobalConfig(world)).toEqual({ ...before, super_admin: world.stranger.address });
  expect(outcomeOf(await setFee(1))).toBe('Unauthorized');
  expect(outcomeOf(await setFee(1, { super_admin: world.stranger }, world.stranger))).toBe('ok');
});

test('set_super_admin needs the signature of the new super admin', async () => {
  const unsigned = { new_super_admin: world.stranger.address };
  expect(outcomeOf(await setSuperAdmin(unsigned))).toBe('MissingRequiredSignature');
});
