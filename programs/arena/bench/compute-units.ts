/** Prints the compute units of every instruction, on the committed bytecode. */
import { byPayoutKeyCall, claimInOrder, counterCall, payoutKeyCall } from '../test/world/claims.ts';
import { setLamports } from '../test/world/forgery.ts';
import {
  claim,
  claimBatch,
  createLobby,
  editPrice,
  join,
  type Lobby,
  remove,
  requestLobby,
} from '../test/world/lobby.ts';
import { expectOk, type Result } from '../test/world/outcome.ts';
import { createMint, giveTokens, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../test/world/tokens.ts';
import {
  call,
  createUninitializedWorld,
  findLobby,
  fundedSigner,
  initialize,
  SOL,
} from '../test/world/world.ts';

const rows: { instruction: string; computeUnits: number }[] = [];
const measure = (instruction: string, result: Result) =>
  rows.push({ instruction, computeUnits: Number(expectOk(result).computeUnitsConsumed()) });

const world = await createUninitializedWorld();
const config = { global_config: world.globalConfig, super_admin: world.superAdmin };
measure('initialize_global_config', await initialize(world));
const args = { platform_fee_basis_points: 500 };
measure('set_platform_fee', await call(world, { name: 'set_platform_fee', accounts: config, args }));
const treasury = { ...config, platform_treasury: world.treasury.address };
measure('set_platform_treasury', await call(world, { name: 'set_platform_treasury', accounts: treasury }));
const successor = { ...config, new_super_admin: world.superAdmin };
measure('set_super_admin', await call(world, { name: 'set_super_admin', accounts: successor }));

const wallets = await Promise.all(Array.from({ length: 10 }, () => fundedSigner(world.svm, SOL)));
const payouts = wallets.map(({ address }) => ({ wallet: address, amount: 1_000_000n }));

const solLobby: Lobby = { id: 1n, address: await findLobby(world, 1n), entryFee: SOL, pool: undefined };
measure('create_lobby, SOL', await requestLobby(world, solLobby));
measure('edit_lobby_price', await editPrice(world, solLobby, SOL));
measure('join_lobby, SOL', await join(world, solLobby));
measure('claim_reward, SOL', await claim(world, solLobby, world.stranger.address, 1n));
measure('claim_multiple_rewards, SOL, 10 players', await claimBatch(world, solLobby, payouts));
measure('create_claim_counter', await call(world, await counterCall(world, solLobby)));
const inOrder = { number: 0n, payouts };
measure('claim_in_order, SOL, 10 players', await claimInOrder(world, solLobby, inOrder));
const limits = { maxClaim: SOL, maxWindow: SOL, windowSlots: 100n };
const key = await fundedSigner(world.svm);
measure('set_payout_key', await call(world, await payoutKeyCall(world, solLobby, key.address, limits)));
measure(
  'set_payout_key, again',
  await call(world, await payoutKeyCall(world, solLobby, key.address, limits)),
);
const byKey = await byPayoutKeyCall(world, solLobby, key, { number: 1n, payouts });
measure('claim_by_payout_key, SOL, 10 players', await call(world, { ...byKey, payer: key }));
setLamports(world, solLobby.address, world.svm.minimumBalanceForRentExemption(98n));
measure('remove_lobby, SOL', await remove(world, solLobby));

for (const [lobbyId, kind, tokenProgram] of [
  [2n, 'SPL Token', TOKEN_PROGRAM],
  [3n, 'Token-2022', TOKEN_2022_PROGRAM],
] as const) {
  const mint = await createMint(world, { tokenProgram });
  const lobby = await createLobby(world, { id: lobbyId, entryFee: 20_000_000n, mint });
  await giveTokens(world, mint, world.player.address, 20_000_000n);
  for (const owner of [world.treasury.address, lobby.address, ...wallets.map(({ address }) => address)]) {
    await giveTokens(world, mint, owner, 0n);
  }
  measure(`join_lobby, ${kind}`, await join(world, lobby));
  measure(`claim_multiple_rewards, ${kind}, 10 players`, await claimBatch(world, lobby, payouts));
  expectOk(await call(world, await counterCall(world, lobby)));
  const part = payouts.map(({ wallet }) => ({ wallet, amount: 250_000n }));
  const inOrder = { number: 0n, payouts: part };
  measure(`claim_in_order, ${kind}, 10 players`, await claimInOrder(world, lobby, inOrder));
  expectOk(await call(world, await payoutKeyCall(world, lobby, key.address, limits)));
  const byKey = await byPayoutKeyCall(world, lobby, key, { number: 1n, payouts: part });
  measure(`claim_by_payout_key, ${kind}, 10 players`, await call(world, { ...byKey, payer: key }));
  measure(`claim_reward, ${kind}`, await claim(world, lobby, world.player.address, 4_000_000n));
  measure(`remove_lobby, ${kind}`, await remove(world, lobby));
}
console.table(rows);

const limit = 10_000;
const solJoin =
  rows.find(({ instruction }) => instruction === 'join_lobby, SOL')?.computeUnits ?? Number.POSITIVE_INFINITY;
if (solJoin >= limit)
  throw new Error(`join_lobby for SOL takes ${solJoin} compute units, the limit is ${limit}`);
