import type { Block } from '@engulf/chain/node/public-block';
import type { JoinPayment } from '@engulf/chain/payments/join-payments';
import type { Claim } from '@engulf/chain/payouts/read-claim';

/** What can be asked of the chain about a match. */
export type ChainFacts = {
  /** The first block from the slot on that the match named; undefined if the node no longer has it. */
  readonly block: Block | undefined;
  /** Where the lobby's pool is; undefined for a free lobby. */
  readonly lobbyConfig: string | undefined;
  /** What each transaction that paid for entries did, by signature; undefined if the node cannot show it. */
  readonly joins: ReadonlyMap<string, readonly JoinPayment[] | undefined>;
  /** What each transaction of payouts did, by signature. */
  readonly claims: ReadonlyMap<string, Claim | undefined>;
};
