import type { CheckReport } from '@engulf/verify/checks';
import type { OnlineVerdict } from '@engulf/verify/verify-online';

export type VerifyRequest = {
  readonly matchId: string;
  readonly server: string;
  /** The node to ask, if not the server's. */
  readonly rpcUrl: string | undefined;
  /** What this browser kept of the match. */
  readonly kept: unknown;
};

export type VerifyAnswer =
  | { readonly type: 'report'; readonly report: CheckReport; readonly finalTick: number | null }
  | { readonly type: 'done'; readonly result: OnlineVerdict }
  /** Not a verdict: the server did not answer. */
  | { readonly type: 'failed'; readonly reason: string };
