import { type Address, getProgramDerivedAddress, getU64Encoder, type KeyPairSigner } from '@solana/kit';
import { type Changes, claimBatchCall, type Lobby, type Payout } from './lobby.ts';
import { expectOk, type Result } from './outcome.ts';
import { type Call, call, type World } from './world.ts';

export async function findCounter(world: World, { id }: Pick<Lobby, 'id'>): Promise<Address> {
  const seeds = ['claims', getU64Encoder().encode(id)];
  return (await getProgramDerivedAddress({ programAddress: world.program, seeds }))[0];
}

export async function counterCall(world: World, lobby: Lobby, changes: Changes = {}): Promise<Call> {
  const accounts = {
    global_config: world.globalConfig,
    lobby_config: lobby.address,
    super_admin: world.superAdmin,
    claim_counter: await findCounter(world, lobby),
    ...changes,
  };
  return { name: 'create_claim_counter', accounts: accounts as Call['accounts'] };
}

export async function createCounter(world: World, lobby: Lobby): Promise<Address> {
  expectOk(await call(world, await counterCall(world, lobby)));
  return findCounter(world, lobby);
}

export const batchId = (byte: number): Uint8Array => new Uint8Array(16).fill(byte);

export async function orderedCall(
  world: World,
  lobby: Lobby,
  claim: { number: bigint; batch?: Uint8Array; payouts: Payout[] },
  changes: Changes = {},
): Promise<Call> {
  const { number, batch = batchId(1), payouts } = claim;
  const unordered = await claimBatchCall(world, lobby, payouts);
  const accounts = { ...unordered.accounts, claim_counter: await findCounter(world, lobby), ...changes };
  return {
    ...unordered,
    name: 'claim_in_order',
    accounts: accounts as Call['accounts'],
    args: { number, batch, amounts: payouts.map(({ amount }) => amount) },
  };
}

export async function claimInOrder(
  world: World,
  lobby: Lobby,
  claim: Parameters<typeof orderedCall>[2],
  changes: Changes = {},
  payer?: KeyPairSigner,
): Promise<Result> {
  return call(world, { ...(await orderedCall(world, lobby, claim, changes)), ...(payer && { payer }) });
}

export async function findPayoutKey(world: World, { id }: Pick<Lobby, 'id'>): Promise<Address> {
  const seeds = ['payout_key', getU64Encoder().encode(id)];
  return (await getProgramDerivedAddress({ programAddress: world.program, seeds }))[0];
}

export type PayoutLimits = { maxClaim: bigint; maxWindow: bigint; windowSlots: bigint };

export async function payoutKeyCall(
  world: World,
  lobby: Lobby,
  key: Address,
  { maxClaim, maxWindow, windowSlots }: PayoutLimits,
  changes: Changes = {},
): Promise<Call> {
  const accounts = {
    global_config: world.globalConfig,
    lobby_config: lobby.address,
    super_admin: world.superAdmin,
    payout_key: await findPayoutKey(world, lobby),
    ...changes,
  };
  return {
    name: 'set_payout_key',
    accounts: accounts as Call['accounts'],
    args: { key, max_claim: maxClaim, max_window: maxWindow, window_slots: windowSlots },
  };
}

export async function byPayoutKeyCall(
  world: World,
  lobby: Lobby,
  signer: KeyPairSigner,
  claim: Parameters<typeof orderedCall>[2],
  changes: Changes = {},
): Promise<Call> {
  const ordered = await orderedCall(world, lobby, claim);
  const { super_admin: _, ...others } = ordered.accounts;
  const accounts = {
    ...others,
    payout_signer: signer,
    payout_key: await findPayoutKey(world, lobby),
    ...changes,
  };
  return { ...ordered, name: 'claim_by_payout_key', accounts: accounts as Call['accounts'] };
}
