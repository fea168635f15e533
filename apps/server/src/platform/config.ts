import { join, resolve } from 'node:path';
import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { z } from 'zod';
import { parseTrustProxy, type TrustProxy } from './client-address.ts';
import { mergeRules } from './rule-overrides.ts';
import { weaknessOf } from './secret-strength.ts';

const ROLES = ['api', 'game', 'worker'] as const;
type Role = (typeof ROLES)[number];

const port = z.coerce.number().int().min(0).max(65_535);

/** May be shown to operators. */
const publicVariables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  ENGULF_ROLES: z
    .string()
    .default(ROLES.join('|'))
    .transform((text) => text.split(/[|,]/).map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES)).min(1)),
  ENGULF_DATA_DIR: z.string().default('.data'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().default(1),
  TRUST_PROXY: z
    .string()
    .default('false')
    .transform((text, context): TrustProxy => {
      const trustProxy = parseTrustProxy(text);
      if (trustProxy) return trustProxy;
      context.addIssue({
        code: 'custom',
        message: 'must be false, the number of proxies, or their addresses separated by commas',
      });
      return z.NEVER;
    }),
  /** Several, separated by commas: the first is asked, all are sent to and must agree before a payout is repeated. */
  SOLANA_RPC_URL: z
    .string()
    .transform((text) => text.split(',').map((url) => url.trim()))
    .pipe(z.array(z.url({ protocol: /^https?$/ })).min(1))
    .optional(),
  PAYOUT_MAX_PRIORITY_FEE_LAMPORTS: z.coerce.number().int().min(0).max(100_000_000).default(1_000_000),
  SOLANA_WS_URL: z.url({ protocol: /^wss?$/ }).optional(),
  /** The node for browsers. The address of the server's own may contain a key. */
  PUBLIC_SOLANA_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PROGRAM_ID: z.string().refine(isWalletAddress, 'is not the address of a program').optional(),
  LOCALNET_RPC_PORT: port.default(8899),
  LOCALNET_WS_PORT: port.default(8900),
  LOCALNET_SLOT_MS: z.coerce.number().int().min(20).max(1_000).optional(),
  EXPLORER_URL: z.string().includes('{signature}').optional(),
  SOL_USD_PRICE: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/)
    .optional(),
  RAFFLE_WINNERS_PER_DAY: z.coerce.number().int().min(1).max(1_000).default(1),
  /** The app at X for signing in; the task list leaves out what X cannot be asked about. */
  X_CLIENT_ID: z.string().optional(),
  /** The bot in the Telegram groups that tasks lead to, as in https://t.me/name. */
  TELEGRAM_BOT_NAME: z
    .string()
    .regex(/^\w{5,32}$/)
    .optional(),
  ARENA_RULES: z
    .string()
    .optional()
    .transform((text, context): Rules => {
      const merged = mergeRules(standardRules, text ?? '{}');
      if (merged.ok) return merged.value;
      context.addIssue({ code: 'custom', message: merged.error });
      return z.NEVER;
    }),
});

/** Must not reach a log or a browser. */
const secretVariables = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  TICKET_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  X_CLIENT_SECRET: z.string().optional(),
  X_BEARER_TOKEN: z.string().optional(),
  TELEGRAM_BOT_TOKEN: z.string().optional(),
  SUPER_ADMIN_KEYPAIR: z
    .string()
    .optional()
    .transform((text, context) => {
      const bytes = text === undefined ? undefined : parseKeypair(text);
      if (text === undefined || bytes) return bytes;
      context.addIssue({ code: 'custom', message: 'is not a JSON array of 64 bytes' });
      return z.NEVER;
    }),
});

const variables = z.object({ ...publicVariables.shape, ...secretVariables.shape });
type Variables = z.output<typeof variables>;

/** @internal A test compares them with .env.example. */
export const VARIABLE_NAMES = Object.keys(variables.shape);

/** Production never falls back to an embedded part or a generated secret. */
const NEEDED_IN_PRODUCTION = [
  'PUBLIC_URL',
  'DATABASE_URL',
  'SOLANA_RPC_URL',
  'SOLANA_WS_URL',
  'PUBLIC_SOLANA_RPC_URL',
  'PROGRAM_ID',
  'TICKET_SECRET',
] as const;
const FORBIDDEN_IN_PRODUCTION = [
  'ARENA_RULES',
  'LOCALNET_RPC_PORT',
  'LOCALNET_WS_PORT',
  'LOCALNET_SLOT_MS',
  'RATE_LIMIT_SCALE',
] as const;

export type Config = ReturnType<typeof readConfig>;

export class ConfigError extends Error {
  constructor(complaints: readonly string[]) {
    super(`The configuration is not valid:\n${complaints.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads the environment once. Throws one error that names every bad variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  // `NAME=` in a shell or an .env file means not set.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(set);
  const complaints = parsed.success ? [] : parsed.error.issues.map(describeIssue);
  if (set['NODE_ENV'] === 'production') complaints.push(...productionComplaints(set));
  complaints.push(...chainComplaints(set), ...secretComplaints(set), ...socialComplaints(set));
  if (!parsed.success || complaints.length > 0) throw new ConfigError(complaints);
  return shape(parsed.data);
}

function shape(read: Variables) {
  const dataDir = resolve(read.ENGULF_DATA_DIR);
  return {
    isProduction: read.NODE_ENV === 'production',
    host: read.HOST,
    port: read.PORT,
    /** Undefined in development: the address where the server listens. */
    publicUrl: read.PUBLIC_URL === undefined ? undefined : new URL(read.PUBLIC_URL),
    roles: new Set<Role>(read.ENGULF_ROLES),
    logLevel: read.LOG_LEVEL,
    /** Undefined: standard output. In development the terminal shows messages for people. */
    logFile: read.NODE_ENV === 'development' ? join(dataDir, 'server.log') : undefined,
    rateLimitScale: read.RATE_LIMIT_SCALE,
    trustProxy: read.TRUST_PROXY,
    dataDir,
    explorerUrl: read.EXPLORER_URL ?? null,
    solUsdPrice: read.SOL_USD_PRICE ?? null,
    raffleWinnersPerDay: read.RAFFLE_WINNERS_PER_DAY,
    x:
      read.X_CLIENT_ID === undefined
        ? undefined
        : {
            clientId: read.X_CLIENT_ID,
            clientSecret: read.X_CLIENT_SECRET ?? null,
            bearerToken: read.X_BEARER_TOKEN,
          },
    telegram:
      read.TELEGRAM_BOT_NAME === undefined || read.TELEGRAM_BOT_TOKEN === undefined
        ? undefined
        : { name: read.TELEGRAM_BOT_NAME, token: read.TELEGRAM_BOT_TOKEN },
    rules: read.ARENA_RULES,
    ticketSecret: read.TICKET_SECRET,
    database: read.DATABASE_URL
      ? ({ kind: 'postgres', url: read.DATABASE_URL } as const)
      : ({ kind: 'embedded', folder: join(dataDir, 'database') } as const),
    chain:
      read.SOLANA_RPC_URL && read.SOLANA_WS_URL && read.PROGRAM_ID
        ? ({
            kind: 'external',
            rpcUrls: read.SOLANA_RPC_URL,
            publicRpcUrl: read.PUBLIC_SOLANA_RPC_URL ?? read.SOLANA_RPC_URL[0]!,
            maxPriorityFeeLamports: BigInt(read.PAYOUT_MAX_PRIORITY_FEE_LAMPORTS),
            publicWsUrl: read.SOLANA_WS_URL,
            programId: read.PROGRAM_ID,
            superAdminKeypair: read.SUPER_ADMIN_KEYPAIR,
          } as const)
        : ({
            kind: 'embedded',
            folder: join(dataDir, 'chain'),
            pageOrigins: read.PUBLIC_URL === undefined ? [] : [new URL(read.PUBLIC_URL).origin],
            rpcPort: read.LOCALNET_RPC_PORT,
            wsPort: read.LOCALNET_WS_PORT,
            slotTimeMs: read.LOCALNET_SLOT_MS,
          } as const),
  };
}

function productionComplaints(set: Readonly<Record<string, string | undefined>>): string[] {
  const roles = set['ENGULF_ROLES'] ?? 'worker';
  const needed = [...NEEDED_IN_PRODUCTION, ...(roles.includes('worker') ? ['SUPER_ADMIN_KEYPAIR'] : [])];
  return [
    ...needed.filter((name) => set[name] === undefined).map((name) => `${name} is needed in production`),
    ...FORBIDDEN_IN_PRODUCTION.filter((name) => set[name] !== undefined).map(
      (name) => `${name} must not be set in production`,
    ),
    ...exposureComplaints(set),
  ];
}

/** What would let others read a session or forge a ticket. */
function exposureComplaints({
  PUBLIC_URL,
  TICKET_SECRET,
}: Readonly<Record<string, string | undefined>>): string[] {
  const weakness = TICKET_SECRET === undefined ? undefined : weaknessOf(TICKET_SECRET);
  return [
    ...(PUBLIC_URL?.trim().toLowerCase().startsWith('http:')
      ? ['PUBLIC_URL must be https in production']
      : []),
    ...(weakness ? [`TICKET_SECRET ${weakness}; make one with: openssl rand -base64 48`] : []),
  ];
}

/** An external chain needs all of its variables: with some missing, the embedded one would start silently. */
function chainComplaints(set: Readonly<Record<string, string | undefined>>): string[] {
  const names = ['SOLANA_RPC_URL', 'SOLANA_WS_URL', 'PROGRAM_ID'];
  const missing = names.filter((name) => set[name] === undefined);
  if (set['NODE_ENV'] === 'production' || missing.length === 0 || missing.length === names.length) return [];
  return missing.map(
    (name) => `${name} is needed together with ${names.filter((other) => other !== name).join(' and ')}`,
  );
}

/** Generated secrets are stored in the data folder, which only embedded parts have. */
function secretComplaints(set: Readonly<Record<string, string | undefined>>): string[] {
  const isNothingEmbedded = set['DATABASE_URL'] !== undefined && set['SOLANA_RPC_URL'] !== undefined;
  const isMissing =
    set['NODE_ENV'] !== 'production' && isNothingEmbedded && set['TICKET_SECRET'] === undefined;
  return isMissing ? ['TICKET_SECRET is needed where nothing is embedded'] : [];
}

function socialComplaints(set: Readonly<Record<string, string | undefined>>): string[] {
  const isXLost = set['X_CLIENT_ID'] === undefined && (set['X_CLIENT_SECRET'] ?? set['X_BEARER_TOKEN']);
  const isBotHalf = (set['TELEGRAM_BOT_NAME'] === undefined) !== (set['TELEGRAM_BOT_TOKEN'] === undefined);
  return [
    ...(isXLost ? ['X_CLIENT_ID is needed together with X_CLIENT_SECRET and X_BEARER_TOKEN'] : []),
    ...(isBotHalf ? ['TELEGRAM_BOT_NAME and TELEGRAM_BOT_TOKEN are needed together'] : []),
  ];
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return `${String(path[0])}: ${message}`;
}

const KEYPAIR_BYTES = 64;

/** The format of `solana-keygen`. */
function parseKeypair(text: string): Uint8Array | undefined {
  try {
    const bytes: unknown = JSON.parse(text);
    const isKeypair =
      Array.isArray(bytes) &&
      bytes.length === KEYPAIR_BYTES &&
      bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
    return isKeypair ? Uint8Array.from(bytes as number[]) : undefined;
  } catch {
    return undefined;
  }
}
