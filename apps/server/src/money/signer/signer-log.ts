import type { Address } from '@solana/kit';
import type { Spent } from './limits.ts';
import type { Refusal } from './signer.ts';

/** What a signer was asked and answered. An entry is durable before anything is signed. */
export type LogEntry = {
  readonly batchId: string;
  readonly descriptionHash: string;
  readonly lobbyId: bigint;
  readonly mint: Address | null;
  /** What counts against the limits. */
  readonly amount: bigint;
  readonly payoutIds: readonly string[];
  readonly lastValidBlockHeight: bigint;
  /** Null if it was signed. */
  readonly refusal: Refusal | null;
  readonly at: Date;
};

export type SignerLog = {
  /** One at a time, in all processes that share the log. */
  exclusively<Result>(work: (log: LogAccess) => Promise<Result>): Promise<Result>;
};

export type LogAccess = {
  find(batchId: string): Promise<Pick<LogEntry, 'descriptionHash' | 'refusal'> | undefined>;
  spentSince(since: Date, of: Pick<LogEntry, 'lobbyId' | 'mint'>): Promise<Spent>;
  /** Whether an earlier claim for one of the payouts may still land, or has paid. */
  hasSigned(claim: Pick<LogEntry, 'payoutIds' | 'lastValidBlockHeight'>): Promise<boolean>;
  add(entry: LogEntry): Promise<void>;
};
