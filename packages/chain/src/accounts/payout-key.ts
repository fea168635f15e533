import {
  type Address,
  type Commitment,
  type GetAccountInfoApi,
  getBase64Encoder,
  type Rpc,
} from '@solana/kit';
import { getPayoutKeyDecoder, getPayoutKeySize, type PayoutKey } from '../generated/accounts/payoutKey.ts';
import { findPayoutKey } from './pdas.ts';

/** What the super admin grants. Amounts are base units of the lobby's token. */
export type PayoutKeyTerms = Pick<PayoutKey, 'key' | 'maxClaim' | 'maxWindow' | 'windowSlots'>;

/** A key that may claim from a lobby within limits. */
export type GrantedPayoutKey = PayoutKeyTerms & {
  /** It ends with the role of this super admin. */
  readonly setBy: Address;
  /** What it may still pay in the window. */
  readonly left: bigint;
  /** How long the window still lasts; zero if the next claim begins one. */
  readonly slotsLeft: bigint;
};

const REVOKED_KEY = '11111111111111111111111111111111' as Address;

/** What revokes a key. */
export const NO_PAYOUT_KEY: PayoutKeyTerms = {
  key: REVOKED_KEY,
  maxClaim: 0n,
  maxWindow: 0n,
  windowSlots: 0n,
};

/** Undefined if the lobby has none, as far as the node knows, or if it was revoked. */
export async function readPayoutKey(
  rpc: Rpc<GetAccountInfoApi>,
  programId: Address,
  lobbyId: bigint,
  commitment: Commitment = 'confirmed',
): Promise<GrantedPayoutKey | undefined> {
  const address = await findPayoutKey(programId, lobbyId);
  const { context, value } = await rpc.getAccountInfo(address, { commitment, encoding: 'base64' }).send();
  if (value?.owner !== programId) return undefined;
  const data = getBase64Encoder().encode(value.data[0]);
  if (data.length !== getPayoutKeySize()) throw new Error(`${address} is not a payout key`);
  const found = getPayoutKeyDecoder().decode(data);
  const { key, setBy, maxClaim, maxWindow, windowSlots, windowStartSlot, spent } = found;
  if (key === REVOKED_KEY) return undefined;
  const passed = context.slot - windowStartSlot;
  const isOver = passed >= windowSlots;
  return {
    key,
    setBy,
    maxClaim,
    maxWindow,
    windowSlots,
    left: isOver ? maxWindow : maxWindow > spent ? maxWindow - spent : 0n,
    slotsLeft: isOver ? 0n : windowSlots - (passed > 0n ? passed : 0n),
  };
}
