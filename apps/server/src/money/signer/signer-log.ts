import type { Address } from '@solana/kit';
import type { Spent } from './limits.ts';
import type { Refusal } from './signer.ts';

/** What a signer was asked and answered. An entry is durable before anything is signed. */
export type LogEntry = {
  readonly batchId: string;
  readonly descriptionHash: string;
  readonly lobbyId: bigint;
  /** Null for a claim that is not made in order. */
  readonly number: bigint | null;
  readonly mint: Address | null;
  /** What counts against the limits. */
  readonly amount: bigint;
  readonly payoutIds: readonly string[];
  readonly lastValidBlockHeight: bigint;
  /** Null if it was signed. */
  readonly refusal: Refusal | null;
  readonly at: Date;
};

/** As long as a blockhash lives: two claims whose last valid heights are further apart cannot both land. */
export const BLOCKHASH_LIFETIME_BLOCKS = 150n;

export type SignerLog = {
  /** One at a time, in all processes that share the log. */
  exclusively<Result>(work: (log: LogAccess) => Promise<Result>): Promise<Result>;
};

export type LogAccess = {
  find(batchId: string): Promise<Pick<LogEntry, 'descriptionHash' | 'refusal'> | undefined>;
  spentSince(since: Date, of: Pick<LogEntry, 'lobbyId' | 'mint'>): Promise<Spent>;
  /**
   * Whether an earlier claim for one of the payouts may still land, or has paid. One of the same number does not count:
   * the chain pays only one of the two.
   */
  hasSigned(
    claim: Pick<LogEntry, 'lobbyId' | 'number' | 'payoutIds' | 'lastValidBlockHeight'>,
  ): Promise<boolean>;
  /** Whether a claim in order was signed for the lobby. */
  hasOrdered(lobbyId: bigint): Promise<boolean>;
  add(entry: LogEntry): Promise<void>;
};
