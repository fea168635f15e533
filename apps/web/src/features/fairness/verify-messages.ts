import type { CheckReport } from '@engulf/verify/checks';
import type { OnlineVerdict } from '@engulf/verify/verify-online';

export type VerifyRequest = { readonly matchId: string; readonly server: string };

export type VerifyAnswer =
  | { readonly type: 'report'; readonly report: CheckReport; readonly finalTick: number | null }
  | { readonly type: 'done'; readonly result: OnlineVerdict }
  /** Not a verdict: the server did not answer. */
  | { readonly type: 'failed'; readonly reason: string };
