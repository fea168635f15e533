import type { ProgramCode } from '@engulf/chain/accounts/program-code';
import type { ListedAnchor, ReadAnchor } from '@engulf/chain/anchors/read-anchors';
import type { Block } from '@engulf/chain/node/public-block';
import type { JoinPayment } from '@engulf/chain/payments/join-payments';
import type { Claim } from '@engulf/chain/payouts/read-claim';

/** What a transaction that paid for entries did. */
export type SeenJoins = {
  readonly slot: bigint;
  /** As the validators estimated it; undefined if the node does not tell. */
  readonly timeMs: number | undefined;
  readonly payments: readonly JoinPayment[];
};

/** What a transaction of payouts did. */
export type SeenClaim = Claim & { readonly slot: bigint };

/**
 * Why a transaction is not known. Missing: the node does not have it, or it is something else. Unread: the node did not
 * answer. Made up: the node shows one with a wrong signature.
 */
export type Unseen = 'missing' | 'unread' | 'madeUp';

export type AnchorFacts = {
  /** The transaction that published the commitment; undefined if the node cannot show it. */
  readonly commit: ReadAnchor | undefined;
  /** Everything that its signer has published, of all matches; undefined if it cannot be listed. */
  readonly listed: readonly ListedAnchor[] | undefined;
};

/** A block that placed portals. */
export type BeaconBlock = {
  readonly blockhash: string;
  readonly parentSlot: bigint;
  /** As the validators estimated it; undefined if the node does not tell. */
  readonly timeMs: number | undefined;
};

/** What can be asked of the chain about a match. */
export type ChainFacts = {
  /** The first block from the slot on that the match named; undefined if the node does not show it. */
  readonly block: Block | undefined;
  /** Where the lobby's pool is; undefined for a free lobby. */
  readonly lobbyConfig: string | undefined;
  /** By signature. */
  readonly joins: ReadonlyMap<string, SeenJoins | Unseen>;
  /** By signature. */
  readonly claims: ReadonlyMap<string, SeenClaim | Unseen>;
  /** What the match published before and after; undefined if it published nothing. */
  readonly anchors?: AnchorFacts | undefined;
  /** By slot; those that the node does not show are missing. Undefined if it was not asked. */
  readonly beacons?: ReadonlyMap<bigint, BeaconBlock> | undefined;
  /** The program that holds the pool; undefined for a free lobby, and if the node does not show it. */
  readonly program?: ProgramCode | undefined;
};

export function isSeen<Seen extends object>(found: Seen | Unseen | undefined): found is Seen {
  return typeof found === 'object';
}
