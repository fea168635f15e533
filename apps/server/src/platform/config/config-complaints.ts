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
  const ofServer = () => [
    ...(set['NODE_ENV'] === 'production' ? productionComplaints(set) : []),
    ...chainComplaints(set),
    ...secretComplaints(set),
    ...storageComplaints(set),
    ...socialComplaints(set),
  ];
  return [...signerComplaints(set), ...(isSigner ? [] : ofServer()), ...weakSecretComplaints(set)];
}

function productionComplaints(set: SetVariables): string[] {
  const roles = set['ENGULF_ROLES'] ?? ALL_IN_ONE;
  const hasKey = set['SIGNER_URL'] !== undefined || !roles.includes('worker');
  const needed = [...NEEDED_IN_PRODUCTION, ...(hasKey ? [] : ['SUPER_ADMIN_KEYPAIR'])];
  return [
    ...needed.filter((name) => set[name] === undefined).map((name) => `${name} is needed in production`),
    ...FORBIDDEN_IN_PRODUCTION.filter((name) => set[name] !== undefined).map(
      (name) => `${name} must not be set in production`,
    ),
    ...redisComplaints(set, roles),
    ...exposureComplaints(set),
  ];
}

/** If this process lacks a role, there are others. */
function redisComplaints({ REDIS_URL }: SetVariables, roles: string): string[] {
  const isApart = ALL_IN_ONE.split('|').some((role) => !roles.includes(role));
  return isApart && REDIS_URL === undefined
    ? ['REDIS_URL is needed in production where the roles run in several processes']
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
