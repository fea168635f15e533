import type { GetTransactionApiResponseBase64, TransactionVersion } from '@solana/kit';

/** The answer of `getTransaction` with `encoding: 'base64'`. */
export type ConfirmedTransaction = Pick<GetTransactionApiResponseBase64<AnyVersion>, 'meta' | 'transaction'>;

// biome-ignore lint/suspicious/noConfusingVoidType: kit's own type for a request that may or may not name a version
type AnyVersion = TransactionVersion | void;
