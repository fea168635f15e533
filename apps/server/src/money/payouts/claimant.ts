import { readPayoutKey } from '@engulf/chain/accounts/payout-key';
import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import type { Address } from '@solana/kit';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import type { PayoutRow } from '../../platform/database/money.ts';
import type { SignerKeys } from '../signer/signer.ts';

/*
 * Who claims: the payout key of the lobby if the signer has it, within what the chain allows it; the super admin for the
 * rest, if the signer has that key too. Otherwise payouts wait, and the operator is told.
 */

export type Claimant = {
  readonly superAdmin: Address;
  /** Undefined: the super admin claims. */
  readonly payoutKey: { readonly key: Address; readonly maxTotal: bigint } | undefined;
};

type Choice = {
  /** Undefined if nobody can claim any of them now. */
  readonly claimant: Claimant | undefined;
  /** What the claimant can pay. */
  readonly due: readonly PayoutRow[];
  /** Ids of those that only the super admin can pay. */
  readonly tooLarge: readonly string[];
};

export async function chooseClaimant(
  context: Pick<Context, 'chain' | 'logger'>,
  lobby: PaidLobby,
  { number, keys }: { readonly number: bigint | undefined; readonly keys: SignerKeys },
  due: readonly PayoutRow[],
): Promise<Choice> {
  const { chain, logger } = context;
  const superAdmin = (await readGlobalConfig(chain.rpc, chain.programId))?.superAdmin;
  if (!superAdmin) throw new Error(`A node does not know the program ${chain.programId}`);
  const bySuperAdmin = (rows: readonly PayoutRow[]): Choice => ({
    claimant: { superAdmin, payoutKey: undefined },
    due: rows,
    tooLarge: [],
  });
  const granted = number === undefined ? undefined : await findGranted(context, lobby, keys, superAdmin);
  if (!granted && keys.superAdmin !== undefined) return bySuperAdmin(due);
  const lobbyId = lobby.id;
  if (!granted) {
    logger.error(
      { code: 'PAYOUT_KEY_NOT_SET', lobbyId, key: keys.payoutKey, superAdmin },
      'the super admin has not set the signer’s payout key for this lobby, so its payouts wait',
    );
    return { claimant: undefined, due: [], tooLarge: [] };
  }
  const { key, maxClaim, left } = granted;
  const maxTotal = left < maxClaim ? left : maxClaim;
  const byPayoutKey = { superAdmin, payoutKey: { key, maxTotal } };
  const fits = ({ amount }: PayoutRow) => amount <= maxTotal;
  if (keys.superAdmin !== undefined) {
    if (!fits(due[0]!)) return bySuperAdmin(due.filter((payout) => !fits(payout)));
    return { claimant: byPayoutKey, due: due.filter(fits), tooLarge: [] };
  }
  const tooLarge = due.filter(({ amount }) => amount > maxClaim).map(({ id }) => id);
  if (tooLarge.length > 0) {
    logger.error(
      { code: 'PAYOUT_ABOVE_KEY_LIMIT', lobbyId, payoutIds: tooLarge, maxClaim },
      'payouts are larger than a claim of the payout key may be, and wait until the super admin raises its limit',
    );
  }
  const rest = due.filter(({ amount }) => amount <= maxClaim);
  if (rest[0] && !fits(rest[0])) {
    logger.error(
      { code: 'PAYOUT_WINDOW_REACHED', lobbyId, left, slotsLeft: granted.slotsLeft },
      'the payout key has paid what it may in its window, so payouts wait for the next one',
    );
    return { claimant: undefined, due: [], tooLarge };
  }
  return { claimant: byPayoutKey, due: rest.filter(fits), tooLarge };
}

/** The payout key of the lobby, if it is the signer's and the chain obeys it. */
async function findGranted(
  { chain }: Pick<Context, 'chain'>,
  lobby: PaidLobby,
  keys: SignerKeys,
  superAdmin: Address,
) {
  if (keys.payoutKey === undefined) return undefined;
  const found = await readPayoutKey(chain.rpc, chain.programId, lobby.chainLobbyId);
  return found?.key === keys.payoutKey && found.setBy === superAdmin ? found : undefined;
}
