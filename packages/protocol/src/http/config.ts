import { z } from 'zod';
import { baseUnitsSchema, transactionSignatureSchema, walletAddressSchema } from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** What the page needs to know before anyone signs in. */
const publicConfigSchema = z.object({
  mode: z.enum(['embedded', 'external']),
  rpcUrl: z.string(),
  wsUrl: z.string(),
  programId: walletAddressSchema,
  /** The page refuses to pay if the chain has another treasury or fee. */
  treasury: walletAddressSchema,
  platformFeeBasisPoints: z.int().min(0).max(10_000),
  isBurnerWalletOffered: z.boolean(),
  /** Where rooms are if their lobby does not say; null for the page's own address. */
  gameUrl: z.url().nullable(),
  /** The URL of a transaction with `{signature}` as placeholder; null where there is no explorer. */
  explorerUrl: z.string().nullable(),
  /** The URL of an account with `{address}` as placeholder. */
  explorerAccountUrl: z.string().nullable(),
  /** External links of the page; null where there is none. */
  links: z
    .object({ docs: z.string(), social: z.string().nullable(), chat: z.string().nullable() })
    .default({ docs: '/docs', social: null, chat: null }),
  /** How long a player may hide the tab before the page leaves the match; 0 for as long as they like. */
  tabHiddenTimeoutMs: z.int().nonnegative(),
  /** Cells from this mass on are drawn above viruses, smaller ones below. */
  virusDepthMass: z.number().positive(),
  prices: z.object({
    /** Micro-dollars for one whole token, by mint or 'SOL'. What is missing has no fresh price. */
    usdMicro: z.record(z.string(), baseUnitsSchema),
    /** Whether the prices are examples, because the money is play money. */
    areExamples: z.boolean(),
    /** A page that gets no newer answer stops showing them after this time. */
    maxAgeMs: z.int().positive(),
  }),
  tokens: z.array(
    z.object({ symbol: z.string(), decimals: z.int().min(0).max(18), mint: walletAddressSchema }),
  ),
  /** A plain number: a client that expects another one knows that it is outdated. */
  protocolVersion: z.int(),
});

export const readConfig = {
  method: 'GET',
  path: '/api/config',
  answer: publicConfigSchema,
  limit: perMinute(120),
} as const satisfies HttpCall;

export type PublicConfig = z.infer<typeof publicConfigSchema>;

/** Test money of the embedded chain. Only registered in embedded mode. */
export const requestFaucet = {
  method: 'POST',
  path: '/api/dev/faucet',
  body: z.strictObject({ wallet: walletAddressSchema }),
  answer: z.object({ status: successSchema, signature: transactionSignatureSchema }),
  limit: perMinute(10),
} as const satisfies HttpCall;
