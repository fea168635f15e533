import { DEV_PROGRAM_ADDRESS } from '../dev-program.ts';
import { type AnchorIdl, accountDiscriminator } from './anchor.ts';
import { instructions } from './instructions.ts';

/** Custom errors in the order of their codes, from 6000. Codes are public: append, never reorder. */
const errorsInOrder: [name: string, msg: string][] = [
  ['Unauthorized', 'Unauthorized: signer is not the super admin.'],
  ['InvalidFeePercentage', 'Invalid fee percentage: must be between 0 and 10000 basis points.'],
  ['IncorrectTokenMint', 'Incorrect token mint for this lobby.'],
  ['IncorrectRewardPool', 'Incorrect reward pool token account provided.'],
  ['IncorrectTreasury', 'Incorrect platform treasury wallet provided.'],
  ['ZeroReward', 'Reward amount must be greater than zero.'],
  ['IncorrectLobbyType', 'Incorrect lobby type: operation not valid for this lobby type.'],
  ['InsufficientLobbyBalance', 'Insufficient balance in lobby for reward claim.'],
  ['ZeroEntryFee', 'Entry fee must be greater than zero.'],
  ['EntryFeeChanged', 'Entry fee differs from the one the player agreed to.'],
  ['PoolNotEmpty', 'Lobby pool is not empty.'],
  ['UnsupportedMint', 'Token mint has an extension that could move or block pool funds.'],
  ['InvalidBatch', 'A batch names 1 to 10 players, with one amount for each.'],
  ['DuplicateRecipient', 'A player appears twice in the batch.'],
  ['InvalidRecipient', 'Recipient cannot be paid from this lobby.'],
  ['InvalidAccount', 'Account is not the one expected: wrong address, owner or type.'],
  ['ArithmeticOverflow', 'Amount does not fit into 64 bits.'],
  ['BalanceMismatch', 'A transfer did not move exactly the amount asked for.'],
  ['StakeTooSmall', 'Less would reach the pool than the player agreed to.'],
  ['FeeAboveCap', 'Platform fee is above the cap of 2000 basis points.'],
  ['LobbyIdUsed', 'A lobby with this id was removed; its id cannot be used again.'],
  ['WrongClaimNumber', 'Claim does not name the next number of this lobby.'],
  ['NotPayoutKey', 'Signer is not the payout key that the super admin has set for this lobby.'],
  ['ClaimAboveLimit', 'Claim is larger than the payout key may make.'],
  ['WindowExhausted', 'Payout key has less left in this window.'],
  ['InvalidPayoutLimits', 'Limits of a payout key must be greater than zero, and a claim within the window.'],
];

export const arenaIdl: AnchorIdl = {
  address: DEV_PROGRAM_ADDRESS,
  metadata: {
    name: 'arena',
    version: '0.1.0',
    spec: '0.1.0',
    description: 'Entry fees and reward pools of Engulf lobbies.',
  },
  instructions,
  accounts: ['GlobalConfig', 'LobbyConfig', 'ClaimCounter', 'PayoutKey'].map((name) => ({
    name,
    discriminator: accountDiscriminator(name),
  })),
  errors: errorsInOrder.map(([name, msg], index) => ({ code: 6000 + index, name, msg })),
  types: [
    {
      name: 'GlobalConfig',
      docs: ['Exists once, at ["global_config"].'],
      type: {
        kind: 'struct',
        fields: [
          { name: 'super_admin', type: 'pubkey' },
          { name: 'platform_treasury', type: 'pubkey' },
          { name: 'platform_fee_basis_points', type: 'u16' },
          { name: 'bump', type: 'u8' },
        ],
      },
    },
    {
      name: 'LobbyConfig',
      docs: [
        'One per lobby, at ["lobby", lobby_id]. In a SOL lobby it also holds the pool: its lamports above the reserve.',
      ],
      type: {
        kind: 'struct',
        fields: [
          { name: 'lobby_id', type: 'u64' },
          { name: 'token_mint', docs: ['All zeros in a SOL lobby.'], type: 'pubkey' },
          { name: 'entry_fee_amount', type: 'u64' },
          { name: 'reward_pool_token_account', docs: ['All zeros in a SOL lobby.'], type: 'pubkey' },
          { name: 'is_sol_lobby', type: 'bool' },
          { name: 'bump', type: 'u8' },
          {
            name: 'reserve_lamports',
            docs: ['What the account held when the lobby was created. Not part of the pool.'],
            type: 'u64',
          },
        ],
      },
    },
    {
      name: 'ClaimCounter',
      docs: [
        'At most one per lobby, at ["claims", lobby_id]: how many claims were made in order, and which was the last.',
      ],
      type: {
        kind: 'struct',
        fields: [
          { name: 'lobby_id', type: 'u64' },
          { name: 'next_number', docs: ['The next claim has to name it.'], type: 'u64' },
          {
            name: 'last_batch',
            docs: ['The id that the last claim had. All zeros before the first.'],
            type: { array: ['u8', 16] },
          },
          { name: 'bump', type: 'u8' },
        ],
      },
    },
    {
      name: 'PayoutKey',
      docs: [
        'At most one per lobby, at ["payout_key", lobby_id]: a key that may claim in order within limits.',
      ],
      type: {
        kind: 'struct',
        fields: [
          { name: 'lobby_id', type: 'u64' },
          { name: 'key', docs: ['All zeros if it was revoked.'], type: 'pubkey' },
          { name: 'set_by', docs: ['It ends with the role of this super admin.'], type: 'pubkey' },
          { name: 'max_claim', docs: ['What one claim may pay.'], type: 'u64' },
          { name: 'max_window', docs: ['What all claims of a window may pay.'], type: 'u64' },
          { name: 'window_slots', docs: ['How long a window is.'], type: 'u64' },
          { name: 'window_start_slot', docs: ['Of the first claim of the window.'], type: 'u64' },
          { name: 'spent', docs: ['Paid since then.'], type: 'u64' },
          { name: 'bump', type: 'u8' },
        ],
      },
    },
  ],
};
