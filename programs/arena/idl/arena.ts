import { DEV_PROGRAM_ADDRESS } from '../dev-program.ts';
import { type AnchorIdl, accountDiscriminator } from './anchor.ts';
import { errors } from './errors.ts';
import { instructions } from './instructions.ts';

export const arenaIdl: AnchorIdl = {
  address: DEV_PROGRAM_ADDRESS,
  metadata: {
    name: 'arena',
    version: '0.1.0',
    spec: '0.1.0',
    description: 'Entry fees and reward pools of Engulf lobbies.',
  },
  instructions,
  accounts: ['GlobalConfig', 'LobbyConfig'].map((name) => ({
    name,
    discriminator: accountDiscriminator(name),
  })),
  errors,
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
        'One per lobby, at ["lobby", lobby_id]. In a SOL lobby it also holds the pool: its lamports above rent.',
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
        ],
      },
    },
  ],
};
