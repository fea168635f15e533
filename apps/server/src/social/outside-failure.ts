/** Why X or Telegram gave no answer. */
export type OutsideFailure =
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number }
  | { readonly kind: 'failed'; readonly cause: unknown };
