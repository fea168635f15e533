import {
  type Address,
  createNoopSigner,
  getBase64Decoder,
  getTransactionMessageComputeUnitLimit,
  getTransactionMessageComputeUnitPrice,
  type ReadonlyUint8Array,
} from '@solana/kit';
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { findGlobalConfig, findLobbyConfig, findTokenAccount } from '../accounts/pdas.ts';
import { getGlobalConfigEncoder } from '../generated/accounts/globalConfig.ts';
import { getLobbyConfigEncoder } from '../generated/accounts/lobbyConfig.ts';
import { parseJoinLobbyInstruction } from '../generated/instructions/joinLobby.ts';
import { priorityFeeLamports } from '../payouts/compute-budget.ts';
import { PROGRAM_ID } from '../testing/join-calls.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { buildJoinTransaction, type JoinRequest } from './join-transaction.ts';

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111';
const lobbyId = 5n;
const treasury = testAddress(3);
const mint = testAddress(4);
const player = createNoopSigner(testAddress(1));
const lobbyAddress = await findLobbyConfig(PROGRAM_ID, lobbyId);
const pool = await findTokenAccount({ owner: lobbyAddress, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS });

/** Builds a join for a token lobby on a chain with only these accounts. */
async function build(
  chain: {
    rewardPool?: Address;
    mintOwner?: Address;
    existing?: readonly Address[];
    recent?: readonly number[] | undefined;
  },
  request: Partial<JoinRequest> = {},
) {
  const { rewardPool = pool, mintOwner = TOKEN_PROGRAM_ADDRESS, existing = [] } = chain;
  const accounts = new Map<unknown, object>([
    [
      await findGlobalConfig(PROGRAM_ID),
      account(
        PROGRAM_ID,
        getGlobalConfigEncoder().encode({
          superAdmin: testAddress(9),
          platformTreasury: treasury,
          platformFeeBasisPoints: 500,
          bump: 255,
        }),
      ),
    ],
    [
      lobbyAddress,
      account(
        PROGRAM_ID,
        getLobbyConfigEncoder().encode({
          lobbyId,
          tokenMint: mint,
          entryFeeAmount: 100n,
          rewardPoolTokenAccount: rewardPool,
          isSolLobby: false,
          bump: 255,
          reserveLamports: 1n,
        }),
      ),
    ],
    [mint, account(mintOwner, new Uint8Array(82))],
    ...existing.map((address): [Address, object] => [
      address,
      account(TOKEN_PROGRAM_ADDRESS, new Uint8Array(165)),
    ]),
  ]);
  const inContext = (value: unknown) => ({ context: { slot: 1 }, value });
  const { rpc } = scriptedNode({
    getAccountInfo: ([address]) => inContext(accounts.get(address) ?? null),
    getMultipleAccounts: ([addresses]) =>
      inContext((addresses as Address[]).map((address) => accounts.get(address) ?? null)),
    ...(chain.recent && {
      getRecentPrioritizationFees: () =>
        chain.recent!.map((prioritizationFee) => ({ slot: 1, prioritizationFee })),
    }),
    getLatestBlockhash: () => inContext({ blockhash: testAddress(50), lastValidBlockHeight: 150 }),
  });
  const terms = { programId: PROGRAM_ID, lobbyId, player, entryFee: 100n, treasury };
  return buildJoinTransaction({ rpc, ...terms, ...request });
}

function account(owner: Address, data: ReadonlyUint8Array) {
  const encoded = [getBase64Decoder().decode(data), 'base64'];
  return { data: encoded, executable: false, lamports: 1, owner, rentEpoch: 0, space: data.length };
}

describe('buildJoinTransaction for a token lobby', () => {
  test('creates the token accounts of player, treasury and pool before the join', async () => {
    const join = await build({});
    if (!join.ok) throw new Error(join.error.code);
    const { instructions, lifetimeConstraint } = join.value;
    const owners = instructions.slice(0, 3).map(({ accounts }) => accounts?.[2]?.address);
    expect(owners).toEqual([player.address, treasury, lobbyAddress]);
    expect(instructions.slice(3).map(({ programAddress }) => programAddress)).toEqual([
      PROGRAM_ID,
      COMPUTE_BUDGET,
      COMPUTE_BUDGET,
    ]);
    expect(lifetimeConstraint.lastValidBlockHeight).toBe(150n);
  });

  test('names the price and the least stake that the player agreed to', async () => {
    const join = await build({}, { platformFeeBasisPoints: 500 });
    if (!join.ok) throw new Error(join.error.code);
    const instruction = join.value.instructions[3] as Parameters<typeof parseJoinLobbyInstruction>[0];
    const { data } = parseJoinLobbyInstruction(instruction);
    expect(data).toMatchObject({ expectedEntryFeeAmount: 100n, minStakeAmount: 95n });
  });

  test('bids what others paid lately, up to a limit, and something if the node does not tell', async () => {
    const feeAt = async (recent?: readonly number[]) => {
      const join = await build({ recent });
      if (!join.ok) throw new Error(join.error.code);
      const units = getTransactionMessageComputeUnitLimit(join.value)!;
      return { units, fee: priorityFeeLamports(units, getTransactionMessageComputeUnitPrice(join.value)!) };
    };
    const units = 100_000 + 3 * 40_000;
    expect(await feeAt()).toEqual({ units, fee: 1_100n });
    expect(await feeAt([0, 0, 0, 20_000])).toEqual({ units, fee: 4_400n });
    expect((await feeAt([10 ** 9])).fee).toBeLessThanOrEqual(100_000n);
  });

  test('refuses a platform fee other than the one shown', async () => {
    const error = { code: 'PLATFORM_FEE_MISMATCH', context: undefined };
    expect(await build({}, { platformFeeBasisPoints: 499 })).toEqual({ ok: false, error });
  });

  test('does not create a token account that exists', async () => {
    const join = await build({ existing: [pool] });
    if (!join.ok) throw new Error(join.error.code);
    expect(join.value.instructions).toHaveLength(3 + 2);
  });

  test('refuses a lobby config with an unexpected pool', async () => {
    const error = { code: 'REWARD_POOL_ACCOUNT_MISMATCH', context: undefined };
    expect(await build({ rewardPool: testAddress(6) })).toEqual({ ok: false, error });
  });

  test('refuses a mint that no token program owns', async () => {
    const error = { code: 'PROGRAM_INCORRECT_TOKEN_MINT', context: undefined };
    expect(await build({ mintOwner: SYSTEM_PROGRAM_ADDRESS })).toEqual({ ok: false, error });
  });
});
