import { join, resolve } from 'node:path';
import { isWalletAddress } from '@engulf/domain/ids/entity-ids';
import { isRegionName } from '@engulf/domain/lobby/region';
import { parseAmount, USD } from '@engulf/domain/money/amount';
import { freeLobbyRules, type Rules } from '@engulf/sim/rules';
import { z } from 'zod';
import { parseTrustProxy, type TrustProxy } from '../client-address.ts';
import { complaintsAbout, toolComplaintsAbout } from './config-complaints.ts';
import { parseKeypair } from './keypair.ts';
import { linkVariables, shapeLinks } from './link-config.ts';
import { dayOf, limitComplaints, payoutVariables } from './payout-config.ts';
import { retentionVariables, shapeRetention } from './retention-config.ts';
import { mergeRules } from './rule-overrides.ts';
import {
  shapeArchive,
  shapeStorage,
  storagePublicVariables,
  storageSecretVariables,
} from './storage-config.ts';

const ROLES = ['api', 'game', 'worker'] as const;
/** The signer never shares a process with others. */
const ALL_ROLES = [...ROLES, 'signer'] as const;
type Role = (typeof ALL_ROLES)[number];

const port = z.coerce.number().int().min(0).max(65_535);

const regionName = z.string().refine(isRegionName, 'has 1 to 24 letters, digits, spaces and dashes');

/** May be shown to operators. */
const publicVariables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Whether operators have a console in the browser; in production only if this says so. */
  CONSOLE: z.stringbool().optional(),
  /** Where it is, if not below PUBLIC_URL. */
  CONSOLE_URL: z.url({ protocol: /^https?$/ }).optional(),
  ENGULF_ROLES: z
    .string()
    .default(ROLES.join('|'))
    .transform((text) => text.split(/[|,]/).map((role) => role.trim()))
    .pipe(z.array(z.enum(ALL_ROLES)).min(1)),
  /** How many processes run the rooms; with 0, this one does. */
  ROOM_PROCESSES: z.coerce.number().int().min(0).max(64).default(0),
  /** Where this process stands. It runs the lobbies of this region, and those of none. */
  REGION: regionName.optional(),
  /** Whether it also runs lobbies of a region that has had no process for a minute. */
  REGION_STANDBY: z.stringbool().default(false),
  ENGULF_DATA_DIR: z.string().default('.data'),
  /** Of the source that runs, for recordings. */
  ENGULF_COMMIT: z
    .string()
    .regex(/^[0-9a-f]{7,40}$/, 'is not the hash of a commit')
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  RATE_LIMIT_SCALE: z.coerce.number().positive().optional(),
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
  ...payoutVariables,
  SOLANA_WS_URL: z.url({ protocol: /^wss?$/ }).optional(),
  /** The node for browsers. The address of the server's own may contain a key. */
  PUBLIC_SOLANA_RPC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PROGRAM_ID: z.string().refine(isWalletAddress, 'is not the address of a program').optional(),
  LOCALNET_RPC_PORT: port.default(8899),
  LOCALNET_WS_PORT: port.default(8900),
  LOCALNET_SLOT_MS: z.coerce.number().int().min(20).max(1_000).optional(),
  LOCALNET_FINALITY_SLOTS: z.coerce.number().int().min(1).max(31).optional(),
  GAME_URL: z.url({ protocol: /^https?$/ }).optional(),
  GAME_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  ...storagePublicVariables.shape,
  ...retentionVariables.shape,
  /** How many postings lie in one partition of the ledger: about 9 GB with their indices. */
  LEDGER_PARTITION_POSTINGS: z.coerce.number().int().min(100_000).max(1_000_000_000).default(20_000_000),
  /** As the SDKs of OpenTelemetry read it: the collector's address without /v1/traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_SERVICE_NAME: z.string().default('engulf'),
  ...linkVariables.shape,
  /** How long a player may hide the tab before the page leaves the match; 0 for as long as they like. */
  TAB_HIDDEN_TIMEOUT_MS: z.coerce.number().int().min(0).max(3_600_000).default(10_000),
  /** Cells from this mass on are drawn above viruses. As it is, a cell hides below one for as long as it cannot burst on it. */
  VIRUS_DEPTH_MASS: z.coerce.number().min(1).max(100_000).default(130),
  SOL_USD_PRICE: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})?$/)
    .optional(),
  /** Of those who are put forward for unfair play, at most this share by chance, in percent. */
  INTEGRITY_FALSE_DISCOVERY_PCT: z.coerce.number().positive().max(50).default(1),
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
      const merged = mergeRules(freeLobbyRules, text ?? '{}');
      if (merged.ok) return merged.value;
      context.addIssue({ code: 'custom', message: merged.error });
      return z.NEVER;
    }),
});

const keypair = z
  .string()
  .optional()
  .transform((text, context) => {
    const bytes = text === undefined ? undefined : parseKeypair(text);
    if (text === undefined || bytes) return bytes;
    context.addIssue({ code: 'custom', message: 'is not a JSON array of 64 bytes' });
    return z.NEVER;
  });

/** Must not reach a log or a browser. */
const secretVariables = z.object({
  ...storageSecretVariables.shape,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  /** May contain a key. */
  PRICE_URL: z.url({ protocol: /^https?$/ }).optional(),
  TICKET_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  /** Shared by the worker and a signer in another process. */
  SIGNER_SECRET: z.string().min(32, 'needs at least 32 characters').optional(),
  /** Reads the metrics. */
  METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  /** `name=value` pairs with commas between them, values as in a URL. */
  OTEL_EXPORTER_OTLP_HEADERS: z.string().optional().transform(parseHeaders),
  X_CLIENT_SECRET: z.string().optional(),
  X_BEARER_TOKEN: z.string().optional(),
  TELEGRAM_BOT_TOKEN: z.string().optional(),
  SUPER_ADMIN_KEYPAIR: keypair,
  /** Pays out of the lobbies that it is set for, within limits on the chain. */
  PAYOUT_KEYPAIR: keypair,
  /** Publishes commitments of matches. It needs little SOL and has no power. */
  ANCHOR_KEYPAIR: keypair,
});

const variables = z.object({ ...publicVariables.shape, ...secretVariables.shape });
type Variables = z.output<typeof variables>;

/** @internal A test compares them with .env.example. */
export const VARIABLE_NAMES = Object.keys(variables.shape);

export type Config = ReturnType<typeof shape>;

export class ConfigError extends Error {
  constructor(complaints: readonly string[]) {
    super(`The configuration is not valid:\n${complaints.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the environment once. Throws one error that names every bad variable. */
export function readConfig(environment: Environment): Config {
  return read(environment, complaintsAbout);
}

/**
 * For the operator's tool, which runs beside servers of any role and needs neither Redis nor a key; commands that sign ask for
 * the key themselves.
 */
export function readToolConfig(environment: Environment): Config {
  return read({ ...environment, ENGULF_ROLES: 'api' }, toolComplaintsAbout);
}

function read(environment: Environment, complaintsAbout: (set: Environment) => string[]): Config {
  // `NAME=` in a shell or an .env file means not set.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = variables.safeParse(set);
  const complaints = parsed.success ? [] : parsed.error.issues.map(describeIssue);
  complaints.push(...complaintsAbout(set));
  if (!parsed.success || complaints.length > 0) throw new ConfigError(complaints);
  const config = shape(parsed.data);
  const { sol, tokens } = config.payouts.limits;
  const unordered = limitComplaints(sol, tokens);
  if (unordered.length > 0) throw new ConfigError(unordered);
  return config;
}

function shape(read: Variables) {
  const dataDir = resolve(read.ENGULF_DATA_DIR);
  return {
    isProduction: read.NODE_ENV === 'production',
    host: read.HOST,
    port: read.PORT,
    /** Undefined in development: the address where the server listens. */
    publicUrl: read.PUBLIC_URL === undefined ? undefined : new URL(read.PUBLIC_URL),
    console: {
      isOn: read.CONSOLE ?? read.NODE_ENV !== 'production',
      /** Undefined: under every name of the site. */
      url: read.CONSOLE_URL === undefined ? undefined : new URL(read.CONSOLE_URL),
    },
    roles: new Set<Role>(read.ENGULF_ROLES),
    roomProcesses: read.ROOM_PROCESSES,
    region: read.REGION ?? null,
    isStandby: read.REGION_STANDBY,
    /** Undefined if nobody told. */
    commit: read.ENGULF_COMMIT,
    logLevel: read.LOG_LEVEL,
    /** Undefined: standard output. In development the terminal shows messages for people. */
    logFile: read.NODE_ENV === 'development' ? join(dataDir, 'server.log') : undefined,
    /** On a developer's machine all players have the same address. */
    rateLimitScale: read.RATE_LIMIT_SCALE ?? (read.NODE_ENV === 'production' ? 1 : 10),
    trustProxy: read.TRUST_PROXY,
    dataDir,
    gameUrl: read.GAME_URL ?? null,
    /** Where clients reach the rooms of this very process. */
    gamePublicUrl: read.GAME_PUBLIC_URL ?? null,
    ...shapeLinks(read),
    tabHiddenTimeoutMs: read.TAB_HIDDEN_TIMEOUT_MS,
    virusDepthMass: read.VIRUS_DEPTH_MASS,
    prices: shapePrices(read),
    falseDiscoveryRate: read.INTEGRITY_FALSE_DISCOVERY_PCT / 100,
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
    /** Undefined: there are no metrics. */
    metricsToken: read.METRICS_TOKEN,
    traces: shapeTraces(read),
    ticketSecret: read.TICKET_SECRET,
    payouts: {
      limits: {
        sol: {
          payout: read.PAYOUT_LIMIT_SOL,
          lobbyHour: read.PAYOUT_LIMIT_LOBBY_HOUR_SOL,
          hour: read.PAYOUT_LIMIT_HOUR_SOL,
          day: read.PAYOUT_LIMIT_DAY_SOL ?? dayOf(read.PAYOUT_LIMIT_HOUR_SOL),
        },
        tokens: read.PAYOUT_LIMIT_TOKENS,
      },
      maxPriorityFeeLamports: BigInt(read.PAYOUT_MAX_PRIORITY_FEE_LAMPORTS),
      lowFundsClaims: read.PAYOUT_LOW_FUNDS_CLAIMS,
      /** Undefined: the worker signs with the key itself. */
      signer:
        read.SIGNER_URL && read.SIGNER_SECRET
          ? { url: new URL(read.SIGNER_URL), secret: read.SIGNER_SECRET }
          : undefined,
    },
    /** What a process with the role `signer` needs. */
    signerRole:
      read.ENGULF_ROLES.includes('signer') &&
      (read.SUPER_ADMIN_KEYPAIR || read.PAYOUT_KEYPAIR) &&
      read.PROGRAM_ID &&
      read.SIGNER_SECRET
        ? {
            superAdminKeypair: read.SUPER_ADMIN_KEYPAIR,
            payoutKeypair: read.PAYOUT_KEYPAIR,
            programId: read.PROGRAM_ID,
            secret: read.SIGNER_SECRET,
          }
        : undefined,
    database: read.DATABASE_URL
      ? ({ kind: 'postgres', url: read.DATABASE_URL } as const)
      : ({ kind: 'embedded', folder: join(dataDir, 'database') } as const),
    /** Undefined: this is the only process. */
    redisUrl: read.REDIS_URL,
    storage: shapeStorage(read, dataDir),
    archive: shapeArchive(read),
    keepDays: shapeRetention(read),
    ledgerPartition: read.LEDGER_PARTITION_POSTINGS,
    chain:
      read.SOLANA_RPC_URL && read.SOLANA_WS_URL && read.PROGRAM_ID
        ? ({
            kind: 'external',
            rpcUrls: read.SOLANA_RPC_URL,
            publicRpcUrl: read.PUBLIC_SOLANA_RPC_URL ?? read.SOLANA_RPC_URL[0]!,
            publicWsUrl: read.SOLANA_WS_URL,
            programId: read.PROGRAM_ID,
            superAdminKeypair: read.SUPER_ADMIN_KEYPAIR,
            payoutKeypair: read.PAYOUT_KEYPAIR,
            anchorKeypair: read.ANCHOR_KEYPAIR,
          } as const)
        : ({
            kind: 'embedded',
            folder: join(dataDir, 'chain'),
            pageOrigins: read.PUBLIC_URL === undefined ? [] : [new URL(read.PUBLIC_URL).origin],
            rpcPort: read.LOCALNET_RPC_PORT,
            wsPort: read.LOCALNET_WS_PORT,
            slotTimeMs: read.LOCALNET_SLOT_MS,
            finalitySlots: read.LOCALNET_FINALITY_SLOTS,
          } as const),
  };
}

/** Undefined: nobody collects traces. */
function shapeTraces(read: Variables) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = read;
  if (endpoint === undefined) return undefined;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: read.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: read.OTEL_SERVICE_NAME,
    roles: read.ENGULF_ROLES,
  };
}

function parseHeaders(text: string | undefined, context: z.RefinementCtx): Record<string, string> {
  const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '');
  try {
    const headers = pairs.map((pair) => {
      const [, name, value] = /^\s*([\w-]+)=(.*)$/.exec(pair)!;
      return [name!, decodeURIComponent(value!.trim())] as const;
    });
    return Object.fromEntries(headers);
  } catch {
    context.addIssue({ code: 'custom', message: 'must be pairs such as name=value, separated by commas' });
    return z.NEVER;
  }
}

/** An example price of SOL for play money, in dollars. */
const EXAMPLE_SOL_USD = '150';

/** The embedded chain has play money; an example price makes dollar amounts visible. */
function shapePrices({ PRICE_URL, SOL_USD_PRICE, SOLANA_RPC_URL }: Variables) {
  if (PRICE_URL !== undefined) return { kind: 'http', url: PRICE_URL } as const;
  const isExample = SOLANA_RPC_URL === undefined;
  const price = SOL_USD_PRICE ?? (isExample ? EXAMPLE_SOL_USD : undefined);
  if (price === undefined) return { kind: 'none' } as const;
  return { kind: 'constant', microUsdPerSol: parseAmount(price, USD)!, isExample } as const;
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  return `${String(path[0])}: ${message}`;
}

/** Embedded parts: this process holds the data folder exclusively. */
export function isEmbedded({ database, chain }: Config): boolean {
  return database.kind === 'embedded' || chain.kind === 'embedded';
}
