import {
  type Address,
  compileTransaction,
  type GetRecentPrioritizationFeesApi,
  getBase64EncodedWireTransaction,
  type Rpc,
  type SimulateTransactionApi,
} from '@solana/kit';
import { describeTransactionError } from '../node/error-texts.ts';
import { isPayerShort, isPayoutKeyRefused, isWrongClaimNumber } from '../node/node-errors.ts';
import { type ClaimMessage, MAX_COMPUTE_UNITS } from './claim-message.ts';

export type SimulatedClaim =
  | { readonly kind: 'works'; readonly computeUnits: number }
  /** The chain would refuse it now; if the payer lacks the fee or rent, for no fault of the claim. */
  | { readonly kind: 'fails'; readonly reason: string; readonly isPayerShort: boolean };

const MICRO_LAMPORTS = 1_000_000n;
/** The state may change until the transaction lands, and with it the work. */
const MARGIN_PERCENT = 20;
const MARGIN_UNITS = 1_000;
/** Costs a few hundred lamports and outbids everything that bids nothing. */
const LEAST_PRICE_MICRO_LAMPORTS = 5_000n;
const PERCENTILE = 75;

/** Runs a claim on the node without its signature. */
export async function simulateClaim(
  rpc: Rpc<SimulateTransactionApi>,
  message: ClaimMessage,
): Promise<SimulatedClaim> {
  const wire = getBase64EncodedWireTransaction(compileTransaction(message));
  const { value } = await rpc
    .simulateTransaction(wire, {
      encoding: 'base64',
      commitment: 'confirmed',
      replaceRecentBlockhash: true,
      sigVerify: false,
    })
    .send();
  if (value.err !== null && isWrongClaimNumber(value.err))
    throw new Error('The node does not know the newest claims of the lobby');
  if (value.err !== null && isPayoutKeyRefused(value.err))
    throw new Error(`The payout key may not make this claim now: ${describeTransactionError(value.err)}`);
  if (value.err !== null) {
    const reason = describeTransactionError(value.err);
    return { kind: 'fails', reason, isPayerShort: isPayerShort(value.err) };
  }
  // A node that does not tell must not make claims fail for want of units.
  const used = Number(value.unitsConsumed ?? MAX_COMPUTE_UNITS);
  const wanted = Math.ceil((used * (100 + MARGIN_PERCENT)) / 100) + MARGIN_UNITS;
  return { kind: 'works', computeUnits: Math.min(wanted, MAX_COMPUTE_UNITS) };
}

/** What others paid lately, per compute unit in micro-lamports, for transactions that write to these accounts. */
export async function readRecentPrice(
  rpc: Rpc<GetRecentPrioritizationFeesApi>,
  accounts: readonly Address[],
): Promise<bigint> {
  const recent = await rpc.getRecentPrioritizationFees(accounts).send();
  const prices = recent
    .map(({ prioritizationFee }) => BigInt(prioritizationFee))
    .sort((a, b) => (a < b ? -1 : 1));
  return prices[Math.floor((prices.length * PERCENTILE) / 100)] ?? 0n;
}

/** A price per compute unit, in micro-lamports, that doubles with each expiry, up to a total of `maxFeeLamports`. */
export function bidForBlock(bid: {
  readonly computeUnits: number;
  readonly recentPrice: bigint;
  readonly expiries: number;
  readonly maxFeeLamports: bigint;
}): bigint {
  const { computeUnits, recentPrice, expiries, maxFeeLamports } = bid;
  const base = recentPrice > LEAST_PRICE_MICRO_LAMPORTS ? recentPrice : LEAST_PRICE_MICRO_LAMPORTS;
  const wanted = base << BigInt(expiries);
  const most = (maxFeeLamports * MICRO_LAMPORTS) / BigInt(computeUnits);
  return wanted < most ? wanted : most;
}

/** What a transaction bids for its place in a block, in lamports, rounded up as the chain does. */
export function priorityFeeLamports(computeUnits: number, computePriceMicroLamports: bigint): bigint {
  return (BigInt(computeUnits) * computePriceMicroLamports + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
}
