import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import { parseAmount, SOL } from '@engulf/domain/money/amount';
import { z } from 'zod';

const anySol = z.string().transform((text, context): bigint => {
  const lamports = parseAmount(text, SOL);
  if (lamports !== undefined && lamports > 0n) return lamports;
  context.addIssue({ code: 'custom', message: 'is not an amount of SOL' });
  return z.NEVER;
});
const sol = (standard: string) => z.string().default(standard).pipe(anySol);

const units = z
  .string()
  .regex(/^[1-9]\d{0,19}$/, 'is not a number of base units in quotes')
  .transform(BigInt);
const tokenLimits = z.record(
  z.string().refine(isWalletAddress, 'is not the address of a mint'),
  z
    .strictObject({ payout: units, lobbyHour: units, hour: units, day: units.optional() })
    .transform((limits) => ({ ...limits, day: limits.day ?? dayOf(limits.hour) })),
);

/** The limit of a day, unless it is set. */
export const dayOf = (hour: bigint): bigint => 5n * hour;

/** The most that the signer signs. */
export const payoutVariables = {
  PAYOUT_LIMIT_SOL: sol('10'),
  PAYOUT_LIMIT_LOBBY_HOUR_SOL: sol('50'),
  PAYOUT_LIMIT_HOUR_SOL: sol('200'),
  PAYOUT_LIMIT_DAY_SOL: anySol.optional(),
  PAYOUT_LIMIT_TOKENS: z
    .string()
    .default('{}')
    .transform((text, context): z.output<typeof tokenLimits> => {
      const parsed = z.string().transform(parseJson).pipe(tokenLimits).safeParse(text);
      if (parsed.success) return parsed.data;
      context.addIssue({
        code: 'custom',
        message: `must be {"<mint>":{"payout":"…","lobbyHour":"…","hour":"…","day":"…"}}: ${parsed.error.issues[0]?.message}`,
      });
      return z.NEVER;
    }),
  PAYOUT_MAX_PRIORITY_FEE_LAMPORTS: z.coerce.number().int().min(0).max(100_000_000).default(1_000_000),
  PAYOUT_LOW_FUNDS_CLAIMS: z.coerce.number().int().min(0).max(1_000_000).default(500),
  SIGNER_URL: z.url({ protocol: /^https?$/ }).optional(),
};

function parseJson(text: string, context: z.RefinementCtx): unknown {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'is not JSON' });
    return z.NEVER;
  }
}

type Limits = {
  readonly payout: bigint;
  readonly lobbyHour: bigint;
  readonly hour: bigint;
  readonly day: bigint;
};

/** The limit of a time must not be below that of a single payout, or such a payout would wait for ever. */
export function limitComplaints(sol: Limits, tokens: Readonly<Record<string, Limits>>): string[] {
  const isOrdered = ({ payout, lobbyHour, hour, day }: Limits) =>
    payout <= lobbyHour && lobbyHour <= hour && hour <= day;
  const order = 'PAYOUT_LIMIT_SOL, PAYOUT_LIMIT_LOBBY_HOUR_SOL, PAYOUT_LIMIT_HOUR_SOL, PAYOUT_LIMIT_DAY_SOL';
  return [
    ...(isOrdered(sol) ? [] : [`${order}: none may be larger than the next one`]),
    ...Object.entries(tokens)
      .filter(([, limits]) => !isOrdered(limits))
      .map(
        ([mint]) => `PAYOUT_LIMIT_TOKENS: payout, lobbyHour, hour, day of ${mint} do not grow in this order`,
      ),
  ];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What payouts are signed with. */
const KEYS = ['SUPER_ADMIN_KEYPAIR', 'PAYOUT_KEYPAIR'];

/** The signer: a process of its own, or the worker. */
export function signerComplaints(set: Environment): string[] {
  const roles = set['ENGULF_ROLES'] ?? '';
  if (roles.includes('signer')) {
    const needed = ['PROGRAM_ID', 'SIGNER_SECRET'];
    return [
      ...(KEYS.some((name) => set[name] !== undefined)
        ? []
        : [`${KEYS.join(' or ')} is needed by the signer`]),
      ...(roles.trim() === 'signer' ? [] : ['ENGULF_ROLES: signer must be the only role of its process']),
      ...needed.filter((name) => set[name] === undefined).map((name) => `${name} is needed by the signer`),
    ];
  }
  if (set['SIGNER_URL'] === undefined) return [];
  return [
    ...(set['SIGNER_SECRET'] === undefined ? ['SIGNER_SECRET is needed together with SIGNER_URL'] : []),
    ...KEYS.filter((name) => set[name] !== undefined).map(
      (name) => `${name} must not be set together with SIGNER_URL: only the signer needs it`,
    ),
  ];
}
