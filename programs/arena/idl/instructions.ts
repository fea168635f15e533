import {
  type AnchorAccount,
  type AnchorField,
  type AnchorInstruction,
  instructionDiscriminator,
  textSeed,
} from './anchor.ts';

const globalConfig: AnchorAccount = { name: 'global_config', pda: { seeds: [textSeed('global_config')] } };
const lobbyConfig: AnchorAccount = { name: 'lobby_config', writable: true };
const superAdmin: AnchorAccount = { name: 'super_admin', signer: true };
const payingSuperAdmin: AnchorAccount = { ...superAdmin, writable: true };
const systemProgram: AnchorAccount = { name: 'system_program', address: '11111111111111111111111111111111' };
const rewardPool: AnchorAccount = {
  name: 'reward_pool_token_account',
  docs: ['Token lobbies only: the associated token account of the lobby.'],
  writable: true,
  optional: true,
};
const tokenMint: AnchorAccount = { name: 'token_mint', docs: ['Token lobbies only.'], optional: true };
const tokenProgram: AnchorAccount = {
  name: 'token_program',
  docs: ['Token lobbies only: SPL Token or Token-2022, whichever owns the mint.'],
  optional: true,
};
const playerTokenAccount: AnchorAccount = {
  name: 'player_token_account',
  docs: ['Token lobbies only: a token account of the player.'],
  writable: true,
  optional: true,
};

const treasuryTokenAccount: AnchorAccount = {
  name: 'treasury_token_account',
  docs: ['Token lobbies only: the associated token account of the treasury.'],
  writable: true,
  optional: true,
};

const claimCounter: AnchorAccount = {
  name: 'claim_counter',
  docs: ['At ["claims", lobby_id].'],
  writable: true,
};

const payoutKey: AnchorAccount = {
  name: 'payout_key',
  docs: ['At ["payout_key", lobby_id].'],
  writable: true,
};

export const instructions: AnchorInstruction[] = [
  instruction({
    name: 'initialize_global_config',
    docs: [
      'Creates the one global config. Only the upgrade authority of the program may, and the future super admin signs too.',
    ],
    accounts: [
      { ...globalConfig, writable: true },
      { name: 'upgrade_authority', docs: ['Pays the rent.'], writable: true, signer: true },
      superAdmin,
      { name: 'platform_treasury', docs: ['A wallet that already holds its rent.'] },
      { name: 'program_data', docs: ['The ProgramData account of this program (upgradeable loader).'] },
      systemProgram,
    ],
    args: [{ name: 'platform_fee_basis_points', type: 'u16' }],
  }),
  instruction({
    name: 'create_lobby',
    docs: ['Creates a lobby that is paid in SOL, or in the token whose mint is given.'],
    accounts: [
      globalConfig,
      { ...lobbyConfig, pda: { seeds: [textSeed('lobby'), { kind: 'arg', path: 'lobby_id' }] } },
      payingSuperAdmin,
      tokenMint,
      systemProgram,
    ],
    args: [
      { name: 'lobby_id', type: 'u64' },
      { name: 'entry_fee_amount', type: 'u64' },
      { name: 'is_sol_lobby', type: 'bool' },
    ],
  }),
  instruction({
    name: 'remove_lobby',
    docs: [
      'Closes a lobby whose pool is empty, but for gifts, which go to the treasury; the rent goes to the super admin.',
      'The id of the lobby cannot be used again.',
    ],
    accounts: [
      globalConfig,
      lobbyConfig,
      payingSuperAdmin,
      rewardPool,
      tokenProgram,
      { name: 'platform_treasury', writable: true },
      treasuryTokenAccount,
      tokenMint,
    ],
    args: [
      {
        name: 'max_surplus_amount',
        docs: ['What may be in the pool without being owed to anybody. The removal fails if there is more.'],
        type: 'u64',
      },
    ],
  }),
  instruction({
    name: 'edit_lobby_price',
    docs: ['Sets the entry fee for the joins that follow.'],
    accounts: [globalConfig, lobbyConfig, superAdmin],
    args: [{ name: 'entry_fee_amount', type: 'u64' }],
  }),
  instruction({
    name: 'join_lobby',
    docs: ['Pays the entry fee: the platform fee to the treasury, the rest to the pool of the lobby.'],
    accounts: [
      globalConfig,
      lobbyConfig,
      { name: 'player', writable: true, signer: true },
      { name: 'platform_treasury', writable: true },
      playerTokenAccount,
      treasuryTokenAccount,
      rewardPool,
      tokenMint,
      tokenProgram,
      systemProgram,
    ],
    args: [
      {
        name: 'expected_entry_fee_amount',
        docs: ['The price the player agreed to. The join fails if the lobby asks for any other.'],
        type: 'u64',
      },
      {
        name: 'min_stake_amount',
        docs: ['The least that must reach the pool. The join fails if the platform fee would leave less.'],
        type: 'u64',
      },
    ],
  }),
  instruction({
    name: 'claim_reward',
    docs: ['Pays one player from the pool of the lobby.'],
    accounts: [
      globalConfig,
      lobbyConfig,
      superAdmin,
      { name: 'player', docs: ['The wallet that is paid.'], writable: true },
      playerTokenAccount,
      rewardPool,
      tokenMint,
      tokenProgram,
    ],
    args: [{ name: 'amount', type: 'u64' }],
  }),
  instruction({
    name: 'claim_multiple_rewards',
    docs: [
      'Pays 1 to 10 different players from the pool of the lobby, all or none.',
      'Remaining accounts, in the order of the amounts. SOL lobby: the wallets (writable).',
      'Token lobby: wallet, then token account of that wallet (writable), for each player.',
    ],
    accounts: [globalConfig, lobbyConfig, superAdmin, rewardPool, tokenMint, tokenProgram],
    args: [{ name: 'amounts', type: { vec: 'u64' } }],
  }),
  instruction({
    name: 'set_platform_fee',
    docs: ['Sets the share of every later entry fee that goes to the treasury, at most 2000 basis points.'],
    accounts: [{ ...globalConfig, writable: true }, superAdmin],
    args: [{ name: 'platform_fee_basis_points', type: 'u16' }],
  }),
  instruction({
    name: 'set_platform_treasury',
    docs: ['Sets the wallet that receives the platform fee.'],
    accounts: [
      { ...globalConfig, writable: true },
      superAdmin,
      { name: 'platform_treasury', docs: ['A wallet that already holds its rent.'] },
    ],
    args: [],
  }),
  instruction({
    name: 'set_super_admin',
    docs: [
      'Hands the role over. The new super admin signs as well, so that it cannot go to a key nobody holds.',
    ],
    accounts: [{ ...globalConfig, writable: true }, superAdmin, { name: 'new_super_admin', signer: true }],
    args: [],
  }),
  instruction({
    name: 'create_claim_counter',
    docs: ['Creates the counter of a lobby, which claim_in_order needs. It is never closed or set back.'],
    accounts: [globalConfig, lobbyConfig, payingSuperAdmin, claimCounter, systemProgram],
    args: [],
  }),
  instruction({
    name: 'claim_in_order',
    docs: [
      'Pays like claim_multiple_rewards, if the claim names the next number of the lobby.',
      'Of all claims that were signed for a number one is paid, however many reach the chain.',
    ],
    accounts: [globalConfig, lobbyConfig, superAdmin, claimCounter, rewardPool, tokenMint, tokenProgram],
    args: [
      { name: 'number', docs: ['How many claims were made in order before.'], type: 'u64' },
      {
        name: 'batch',
        docs: ['An id that the counter keeps until the next claim.'],
        type: { array: ['u8', 16] },
      },
      { name: 'amounts', type: { vec: 'u64' } },
    ],
  }),
  instruction({
    name: 'set_payout_key',
    docs: [
      'Sets the key that may claim in order from a lobby within limits, changes its limits, or revokes it.',
      'What was spent in the current window still counts.',
    ],
    accounts: [globalConfig, lobbyConfig, payingSuperAdmin, payoutKey, systemProgram],
    args: [
      { name: 'key', docs: ['All zeros, and zero for each limit, to revoke it.'], type: 'pubkey' },
      { name: 'max_claim', docs: ['What one claim may pay.'], type: 'u64' },
      { name: 'max_window', docs: ['What all claims of a window may pay.'], type: 'u64' },
      { name: 'window_slots', docs: ['How long a window is.'], type: 'u64' },
    ],
  }),
  instruction({
    name: 'claim_by_payout_key',
    docs: ['Pays like claim_in_order, within the limits of the payout key, which signs.'],
    accounts: [
      globalConfig,
      lobbyConfig,
      { name: 'payout_signer', signer: true },
      payoutKey,
      claimCounter,
      rewardPool,
      tokenMint,
      tokenProgram,
    ],
    args: [
      { name: 'number', docs: ['How many claims were made in order before.'], type: 'u64' },
      {
        name: 'batch',
        docs: ['An id that the counter keeps until the next claim.'],
        type: { array: ['u8', 16] },
      },
      { name: 'amounts', type: { vec: 'u64' } },
    ],
  }),
];

function instruction(parts: {
  name: string;
  docs: string[];
  accounts: AnchorAccount[];
  args: AnchorField[];
}): AnchorInstruction {
  const { name, docs, accounts, args } = parts;
  return { name, docs, discriminator: instructionDiscriminator(name), accounts, args };
}
