import { generateKeyPairSigner, getProgramDerivedAddress } from '@solana/kit';
import { expect, test } from 'vitest';
import { changeOwner, copyAccount, patchAccount, setLamports } from './world/forgery.ts';
import { outcomeOf } from './world/outcome.ts';
import { readGlobalConfig } from './world/state.ts';
import { TOKEN_PROGRAM } from './world/tokens.ts';
import {
  balanceOf,
  createUninitializedWorld,
  findLobby,
  initialize,
  SOL,
  type World,
} from './world/world.ts';

test('initialize_global_config creates the global config at its derived address, with its rent', async () => {
  const world = await createUninitializedWorld();
  expect(outcomeOf(await initialize(world))).toBe('ok');
  const [, bump] = await getProgramDerivedAddress({
    programAddress: world.program,
    seeds: ['global_config'],
  });
  expect(readGlobalConfig(world)).toEqual({
    super_admin: world.superAdmin.address,
    platform_treasury: world.treasury.address,
    platform_fee_basis_points: 500,
    bump,
  });
  expect(balanceOf(world, world.globalConfig)).toBe(world.svm.minimumBalanceForRentExemption(75n));
});

test('initialize_global_config works only once', async () => {
  const world = await createUninitializedWorld();
  await initialize(world);
  expect(outcomeOf(await initialize(world))).toBe('AccountAlreadyInitialized');
});

test.each([0, 2_000])(
  'initialize_global_config accepts a platform fee of %i basis points',
  async (platformFeeBasisPoints) => {
    const world = await createUninitializedWorld();
    expect(outcomeOf(await initialize(world, { platformFeeBasisPoints }))).toBe('ok');
  },
);

test.each([
  [2_001, 'FeeAboveCap'],
  [10_000, 'FeeAboveCap'],
  [10_001, 'InvalidFeePercentage'],
  [65_535, 'InvalidFeePercentage'],
])(
  'initialize_global_config refuses a platform fee of %i basis points',
  async (platformFeeBasisPoints, error) => {
    const world = await createUninitializedWorld();
    expect(outcomeOf(await initialize(world, { platformFeeBasisPoints }))).toBe(error);
  },
);

test('initialize_global_config refuses its own address as the treasury', async () => {
  const world = await createUninitializedWorld();
  setLamports(world, world.globalConfig, SOL);
  const accounts = { platform_treasury: world.globalConfig };
  expect(outcomeOf(await initialize(world, { accounts }))).toBe('IncorrectTreasury');
});

test('initialize_global_config cannot be blocked by lamports sent to the address beforehand', async () => {
  const world = await createUninitializedWorld();
  setLamports(world, world.globalConfig, 5_000_000n);
  expect(outcomeOf(await initialize(world))).toBe('ok');
  expect(balanceOf(world, world.globalConfig)).toBe(5_000_000n);
});

test('initialize_global_config is for the upgrade authority only', async () => {
  const world = await createUninitializedWorld();
  const { stranger, upgradeAuthority } = world;
  const asStranger = { payer: stranger, accounts: { upgrade_authority: stranger, super_admin: stranger } };
  expect(outcomeOf(await initialize(world, asStranger))).toBe('Unauthorized');
  const unsigned = { payer: stranger, accounts: { upgrade_authority: upgradeAuthority.address } };
  expect(outcomeOf(await initialize(world, unsigned))).toBe('MissingRequiredSignature');
});

test('initialize_global_config is refused once the program is immutable', async () => {
  const world = await createUninitializedWorld();
  patchAccount(world, world.programData, 12, [0]);
  expect(outcomeOf(await initialize(world))).toBe('Unauthorized');
});

test('initialize_global_config needs the signature of the future super admin', async () => {
  const world = await createUninitializedWorld();
  const unsigned = { accounts: { super_admin: world.superAdmin.address } };
  expect(outcomeOf(await initialize(world, unsigned))).toBe('MissingRequiredSignature');
});

/** What an attacker might pass in place of the account that proves the upgrade authority. */
const forgedProgramData: [string, (world: World) => Promise<Parameters<typeof initialize>[1]>][] = [
  [
    'a copy at another address',
    async (world) => ({ accounts: { program_data: await copyAccount(world, world.programData) } }),
  ],
  [
    'a copy of another owner',
    async (world) => ({
      accounts: { program_data: await copyAccount(world, world.programData, { owner: TOKEN_PROGRAM }) },
    }),
  ],
  ['the program account', async (world) => ({ accounts: { program_data: world.program } })],
];
test.each(forgedProgramData)('initialize_global_config refuses %s as program data', async (_, forge) => {
  const world = await createUninitializedWorld();
  expect(outcomeOf(await initialize(world, await forge(world)))).toBe('InvalidAccount');
});

test('initialize_global_config refuses program data with another owner, and a buffer', async () => {
  const world = await createUninitializedWorld();
  patchAccount(world, world.programData, 0, [1]);
  expect(outcomeOf(await initialize(world))).toBe('InvalidAccount');
  patchAccount(world, world.programData, 0, [3]);
  changeOwner(world, world.programData, TOKEN_PROGRAM);
  expect(outcomeOf(await initialize(world))).toBe('InvalidAccount');
});

test('initialize_global_config refuses another address for the config', async () => {
  const world = await createUninitializedWorld();
  const accounts = { global_config: await findLobby(world, 0n) };
  expect(outcomeOf(await initialize(world, { accounts }))).toBe('InvalidAccount');
});

test('initialize_global_config refuses another program in place of the system program', async () => {
  const world = await createUninitializedWorld();
  expect(outcomeOf(await initialize(world, { accounts: { system_program: TOKEN_PROGRAM } }))).toBe(
    'InvalidAccount',
  );
});

test('initialize_global_config refuses a treasury that could not receive a small fee or is not a wallet', async () => {
  const world = await createUninitializedWorld();
  const empty = (await generateKeyPairSigner()).address;
  const poor = (await generateKeyPairSigner()).address;
  const rentLamports = world.svm.minimumBalanceForRentExemption(0n);
  setLamports(world, poor, rentLamports - 1n);
  for (const treasury of [empty, poor, world.programData, TOKEN_PROGRAM]) {
    expect(outcomeOf(await initialize(world, { accounts: { platform_treasury: treasury } }))).toBe(
      'IncorrectTreasury',
    );
  }
  setLamports(world, poor, rentLamports);
  expect(outcomeOf(await initialize(world, { accounts: { platform_treasury: poor } }))).toBe('ok');
});
