import { signerComplaints } from './payout-config.ts';
import { weaknessOf } from './secret-strength.ts';
import { storageComplaints } from './storage-config.ts';

/* Which variables go together, and what production asks for. */

type SetVariables = Readonly<Record<string, string | undefined>>;

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
  'LOCALNET_FINALITY_SLOTS',
  'RATE_LIMIT_SCALE',
] as const;

const ALL_IN_ONE = 'api|game|worker';

/** What is wrong with the variables as a whole, one line each. */
export function complaintsAbout(set: SetVariables): string[] {
  const isSigner = set['ENGULF_ROLES'] === 'signer';
  const isProduction = set['NODE_ENV'] === 'production';
  return [
    ...signerComplaints(set),
    ...(isSigner ? [] : commonComplaints(set)),
    ...(isSigner || !isProduction
      ? []
      : [...redisComplaints(set), ...gameComplaints(set), ...keyComplaints(set)]),
    ...weakSecretComplaints(set),
  ];
}

/** The same for the operator's tool. */
export function toolComplaintsAbout(set: SetVariables): string[] {
  return [...commonComplaints(set), ...weakSecretComplaints(set)];
}

function commonComplaints(set: SetVariables): string[] {
  return [
    ...(set['NODE_ENV'] === 'production' ? productionComplaints(set) : []),
    ...chainComplaints(set),
    ...secretComplaints(set),
    ...storageComplaints(set),
    ...socialComplaints(set),
    ...consoleComplaints(set),
  ];
}

/** The cookie of the session is the same under both names. */
function consoleComplaints({ CONSOLE_URL, PUBLIC_URL }: SetVariables): string[] {
  const [own, common] = [URL.parse(CONSOLE_URL ?? ''), URL.parse(PUBLIC_URL ?? '')];
  if (!own || !common || own.protocol === common.protocol) return [];
  return ['CONSOLE_URL needs the protocol of PUBLIC_URL'];
}

function productionComplaints(set: SetVariables): string[] {
  return [
    ...NEEDED_IN_PRODUCTION.filter((name) => set[name] === undefined).map(
      (name) => `${name} is needed in production`,
    ),
    ...FORBIDDEN_IN_PRODUCTION.filter((name) => set[name] !== undefined).map(
      (name) => `${name} must not be set in production`,
    ),
    ...exposureComplaints(set),
  ];
}

function keyComplaints({
  ENGULF_ROLES = ALL_IN_ONE,
  SIGNER_URL,
  SUPER_ADMIN_KEYPAIR,
  PAYOUT_KEYPAIR,
}: SetVariables): string[] {
  const hasKey = [SIGNER_URL, SUPER_ADMIN_KEYPAIR, PAYOUT_KEYPAIR].some((value) => value !== undefined);
  if (hasKey || !ENGULF_ROLES.includes('worker')) return [];
  return ['SUPER_ADMIN_KEYPAIR or PAYOUT_KEYPAIR is needed in production'];
}

/** If this process lacks a role, there are others. */
function redisComplaints({ ENGULF_ROLES = ALL_IN_ONE, REDIS_URL }: SetVariables): string[] {
  const isApart = ALL_IN_ONE.split('|').some((role) => !ENGULF_ROLES.includes(role));
  return isApart && REDIS_URL === undefined
    ? ['REDIS_URL is needed in production where the roles run in several processes']
    : [];
}

/** Players would look for its rooms at an api process. */
function gameComplaints({ ENGULF_ROLES = ALL_IN_ONE, GAME_PUBLIC_URL }: SetVariables): string[] {
  const isApart = ENGULF_ROLES.includes('game') && !ENGULF_ROLES.includes('api');
  return isApart && GAME_PUBLIC_URL === undefined
    ? ['GAME_PUBLIC_URL is needed in production where the rooms run in a process of their own']
    : [];
}

/** Settings that would let others read a session. */
function exposureComplaints({ PUBLIC_URL }: SetVariables): string[] {
  const isOpen = PUBLIC_URL?.trim().toLowerCase().startsWith('http:');
  return isOpen ? ['PUBLIC_URL must be https in production'] : [];
}

/** Settings that would let others forge a ticket or use the signer. */
function weakSecretComplaints(set: SetVariables): string[] {
  if (set['NODE_ENV'] !== 'production') return [];
  return ['TICKET_SECRET', 'SIGNER_SECRET', 'METRICS_TOKEN'].flatMap((name) => {
    const weakness = set[name] === undefined ? undefined : weaknessOf(set[name]);
    return weakness ? [`${name} ${weakness}; make one with: openssl rand -base64 48`] : [];
  });
}

/** An external chain needs all of its variables: with some missing, the embedded one would start silently. */
function chainComplaints(set: SetVariables): string[] {
  const names = ['SOLANA_RPC_URL', 'SOLANA_WS_URL', 'PROGRAM_ID'];
  const missing = names.filter((name) => set[name] === undefined);
  if (set['NODE_ENV'] === 'production' || missing.length === 0 || missing.length === names.length) return [];
  return missing.map(
    (name) => `${name} is needed together with ${names.filter((other) => other !== name).join(' and ')}`,
  );
}

/** Generated secrets are stored in the data folder, which only embedded parts have. */
function secretComplaints(set: SetVariables): string[] {
  const isNothingEmbedded = set['DATABASE_URL'] !== undefined && set['SOLANA_RPC_URL'] !== undefined;
  const isMissing =
    set['NODE_ENV'] !== 'production' && isNothingEmbedded && set['TICKET_SECRET'] === undefined;
  return isMissing ? ['TICKET_SECRET is needed where nothing is embedded'] : [];
}

function socialComplaints(set: SetVariables): string[] {
  const isXLost = set['X_CLIENT_ID'] === undefined && (set['X_CLIENT_SECRET'] ?? set['X_BEARER_TOKEN']);
  const isBotHalf = (set['TELEGRAM_BOT_NAME'] === undefined) !== (set['TELEGRAM_BOT_TOKEN'] === undefined);
  return [
    ...(isXLost ? ['X_CLIENT_ID is needed together with X_CLIENT_SECRET and X_BEARER_TOKEN'] : []),
    ...(isBotHalf ? ['TELEGRAM_BOT_NAME and TELEGRAM_BOT_TOKEN are needed together'] : []),
  ];
}
