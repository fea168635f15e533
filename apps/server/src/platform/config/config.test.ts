import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, VARIABLE_NAMES } from './config.ts';

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://engulf.example',
  DATABASE_URL: 'postgres://db/engulf',
  SOLANA_RPC_URL: 'https://rpc.example',
  SOLANA_WS_URL: 'wss://rpc.example',
  PUBLIC_SOLANA_RPC_URL: 'https://public-rpc.example',
  PROGRAM_ID: 'CFtdjtiYjwfRbKvB45xmGnozzDGNEpMy15ekSrsjNqWA',
  TICKET_SECRET: createHash('sha256').update('a ticket').digest('base64url').slice(0, 32),
  SUPER_ADMIN_KEYPAIR: JSON.stringify(Array.from({ length: 64 }, () => 7)),
  S3_BUCKET: 'engulf',
};

function complaintsAbout(environment: Record<string, string>): string {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
}

describe('the configuration', () => {
  test('is complete without any variable and then uses the embedded parts', () => {
    const config = readConfig({});
    expect(config.database.kind).toBe('embedded');
    expect(config.chain.kind).toBe('embedded');
    expect([...config.roles].sort()).toEqual(['api', 'game', 'worker']);
  });

  test('keeps old data for the usual times, or for as long as is set, within limits', () => {
    expect(readConfig({}).keepDays).toEqual({ chat: 30, evidence: 90, addresses: 90, charts: 35 });
    expect(readConfig({ KEEP_CHAT_DAYS: '7', KEEP_EVIDENCE_DAYS: '30' }).keepDays).toMatchObject({
      chat: 7,
      evidence: 30,
    });
    const refused = {
      KEEP_CHAT_DAYS: '0',
      KEEP_EVIDENCE_DAYS: '29',
      KEEP_ADDRESSES_DAYS: '91',
      KEEP_CHARTS_DAYS: '1.5',
    };
    for (const [name, value] of Object.entries(refused))
      expect(complaintsAbout({ [name]: value })).toContain(name);
  });

  test('has an archive where one is set, which is neither the storage nor two places', () => {
    expect(readConfig({}).archive).toBeUndefined();
    expect(readConfig({ ARCHIVE_DIR: '/old' }).archive).toEqual({ kind: 'folder', folder: '/old' });
    const bucket = { S3_BUCKET: 'files', ARCHIVE_S3_BUCKET: 'old', S3_ENDPOINT: 'http://bucket.example' };
    expect(readConfig(bucket).archive).toMatchObject({ ...readConfig(bucket).storage, bucket: 'old' });
    expect(readConfig({ ARCHIVE_S3_BUCKET: 'old', S3_REGION: 'eu-west-1' })).toMatchObject({
      archive: { kind: 's3', region: 'eu-west-1' },
      storage: { kind: 'folder' },
    });
    expect(complaintsAbout({ ARCHIVE_DIR: '/old', ARCHIVE_S3_BUCKET: 'old' })).toContain(
      'exclude each other',
    );
    expect(complaintsAbout({ ARCHIVE_DIR: '/files', STORAGE_DIR: '/files' })).toContain(
      'ARCHIVE_DIR must not be',
    );
    expect(complaintsAbout({ S3_BUCKET: 'one', ARCHIVE_S3_BUCKET: 'one' })).toContain(
      'ARCHIVE_S3_BUCKET must not be',
    );
  });

  test('has the links of the page: examples in development, in production what is set', () => {
    const docs = '/docs';
    expect(readConfig({}).links).toEqual({
      docs,
      social: 'https://x.com/engulf',
      chat: 'https://t.me/engulf',
    });
    expect(readConfig(production).links).toEqual({ docs, social: null, chat: null });
    const set = {
      DOCS_URL: 'https://d.example',
      SOCIAL_URL: 'https://s.example',
      CHAT_URL: 'https://c.example',
    };
    expect(readConfig({ ...production, ...set }).links).toEqual({
      docs: set.DOCS_URL,
      social: set.SOCIAL_URL,
      chat: set.CHAT_URL,
    });
    expect(complaintsAbout({ SOCIAL_URL: 'javascript:alert(1)' })).toContain('SOCIAL_URL');
  });

  test('links to the explorer of mainnet, unless the chain is embedded or another one is set', () => {
    const { explorerUrl, explorerAccountUrl } = readConfig(production);
    expect(explorerUrl).toBe('https://explorer.solana.com/tx/{signature}');
    expect(explorerAccountUrl).toBe('https://explorer.solana.com/address/{address}');
    expect(readConfig({}).explorerUrl).toBeNull();
    expect(readConfig({}).explorerAccountUrl).toBeNull();
    const own = 'https://explorer.example/{signature}?cluster=devnet';
    expect(readConfig({ ...production, EXPLORER_URL: own }).explorerUrl).toBe(own);
  });

  test('names every bad variable at once', () => {
    const complaints = complaintsAbout({
      PORT: 'many',
      LOG_LEVEL: 'loud',
      PROGRAM_ID: 'x',
      ARENA_RULES: '{',
    });
    for (const name of ['PORT', 'LOG_LEVEL', 'PROGRAM_ID', 'ARENA_RULES']) expect(complaints).toContain(name);
  });

  test('requires external parts and given secrets in production', () => {
    expect(readConfig(production).isProduction).toBe(true);
    const complaints = complaintsAbout({ NODE_ENV: 'production' });
    for (const name of Object.keys(production).slice(1)) expect(complaints).toContain(name);
  });

  test('asks for Redis in production as soon as the roles run apart', () => {
    expect(complaintsAbout({ ...production, ENGULF_ROLES: 'api|game|worker' })).toBe('');
    for (const roles of ['api', 'game|worker', 'api,game']) {
      const apart = { ...production, ENGULF_ROLES: roles, GAME_PUBLIC_URL: 'https://engulf.example/game/1' };
      expect(complaintsAbout(apart)).toContain('REDIS_URL is needed');
      expect(complaintsAbout({ ...apart, REDIS_URL: 'rediss://:secret@cache.example:6380/1' })).toBe('');
    }
    expect(complaintsAbout({ REDIS_URL: 'http://cache.example' })).toContain('REDIS_URL');
  });

  test('asks in production for the address of a process that has rooms and no page', () => {
    const apart = { ...production, ENGULF_ROLES: 'game', REDIS_URL: 'redis://cache' };
    expect(complaintsAbout(apart)).toContain('GAME_PUBLIC_URL is needed');
    expect(complaintsAbout({ ...apart, ENGULF_ROLES: 'api|game' })).toBe('');
    expect(complaintsAbout({ ...apart, NODE_ENV: 'development' })).toBe('');
  });

  test('keeps files in the data folder, in a folder of choice, or in a bucket', () => {
    expect(readConfig({}).storage).toMatchObject({ kind: 'folder' });
    expect(readConfig({ STORAGE_DIR: '/srv/files' }).storage).toEqual({
      kind: 'folder',
      folder: '/srv/files',
    });
    const bucket = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    expect(readConfig(bucket).storage).toMatchObject({ kind: 's3', key: { id: 'id', secret: 'secret' } });
  });

  test('takes either a bucket or a folder in production, and no half of an S3 configuration', () => {
    const { S3_BUCKET: _, ...without } = production;
    expect(complaintsAbout(without)).toContain('S3_BUCKET or STORAGE_DIR is needed in production');
    expect(complaintsAbout({ ...without, STORAGE_DIR: '/srv/files' })).toBe('');
    expect(complaintsAbout({ ...production, STORAGE_DIR: '/srv/files' })).toContain('exclude each other');
    expect(complaintsAbout({ S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' })).toContain('belong together');
    expect(complaintsAbout({ S3_ENDPOINT: 'http://localhost' })).toContain('without S3_BUCKET');
  });

  test('refuses development variables in production', () => {
    const complaints = complaintsAbout({ ...production, ARENA_RULES: '{}', LOCALNET_RPC_PORT: '8899' });
    expect(complaints).toContain('ARENA_RULES');
    expect(complaints).toContain('LOCALNET_RPC_PORT');
  });

  test('needs the app at X with its secrets, and the bot with its token', () => {
    expect(complaintsAbout({ TELEGRAM_BOT_NAME: 'engulf_bot' })).toContain('TELEGRAM_BOT_TOKEN');
    expect(complaintsAbout({ X_BEARER_TOKEN: 'token' })).toContain('X_CLIENT_ID');
    expect(readConfig({ X_CLIENT_ID: 'id', X_BEARER_TOKEN: 'token' }).x).toEqual({
      clientId: 'id',
      clientSecret: null,
      bearerToken: 'token',
    });
  });

  test('refuses an address without encryption in production', () => {
    for (const PUBLIC_URL of ['http://engulf.example', 'HTTP://engulf.example', 'http://localhost:3000']) {
      expect(complaintsAbout({ ...production, PUBLIC_URL })).toContain('PUBLIC_URL must be https');
    }
    expect(complaintsAbout({ PUBLIC_URL: 'http://localhost:3000' })).toBe('');
  });

  test.each([
    'x'.repeat(32),
    'ab'.repeat(20),
    'correct horse '.repeat(4),
    'abcdefghijklmnopqrstuvwxyz0123456789',
    '12345678901234567890123456789012345',
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab',
    'aXbXaXXbXaabXbXaXbaXXbaXbXabXXab',
    'at least 32 random characters, the same on every machine',
    'change-me-9f8a7s6d5f4g3h2j1k0l9z8x7c',
    'my-very-own-secret-Pq7vLm2Xz9Tn4Rb8',
  ])('refuses the weak secret %j in production', (TICKET_SECRET) => {
    expect(complaintsAbout({ ...production, TICKET_SECRET })).toContain('TICKET_SECRET');
  });

  test('accepts every random secret of 32 characters, in hexadecimal or base64', () => {
    for (let time = 0; time < 2_000; time++) {
      // The same ones each time: among other millions there is one that contains a word.
      const bytes = createHash('sha256').update(`secret ${time}`).digest();
      const secrets = [bytes.toString('hex', 0, 16), bytes.toString('base64', 0, 24)];
      for (const TICKET_SECRET of secrets) expect(complaintsAbout({ ...production, TICKET_SECRET })).toBe('');
    }
  });

  test.each([
    '78dcded109b77f4cc459fee94334bb32',
    '667443998eddcedb4a98ccbab5acc112',
    '588455321bccc76011c6524f8dee7778',
  ])('accepts the random secret %s, which has sequences by chance', (TICKET_SECRET) => {
    expect(complaintsAbout({ ...production, TICKET_SECRET })).toBe('');
  });

  test('counts many clients of one address as one only where they are strangers', () => {
    expect(readConfig({}).rateLimitScale).toBe(10);
    expect(readConfig({ RATE_LIMIT_SCALE: '3' }).rateLimitScale).toBe(3);
    expect(readConfig(production).rateLimitScale).toBe(1);
  });

  test('requires the key of the super admin only for the worker role', () => {
    const { SUPER_ADMIN_KEYPAIR: _, ...rest } = production;
    expect(complaintsAbout(rest)).toContain('SUPER_ADMIN_KEYPAIR or PAYOUT_KEYPAIR');
    expect(complaintsAbout({ ...rest, PAYOUT_KEYPAIR: production.SUPER_ADMIN_KEYPAIR })).toBe('');
    expect(complaintsAbout({ ...rest, ENGULF_ROLES: 'api|game', REDIS_URL: 'redis://cache' })).toBe('');
  });

  test('gives the key to the worker or to a signer, not to both', () => {
    const { SUPER_ADMIN_KEYPAIR, PROGRAM_ID, ...rest } = production;
    const remote = { PROGRAM_ID, SIGNER_URL: 'https://signer.example', SIGNER_SECRET: rest.TICKET_SECRET };
    expect(readConfig({ ...rest, ...remote }).payouts.signer?.url.host).toBe('signer.example');
    expect(complaintsAbout({ ...production, ...remote })).toContain('SUPER_ADMIN_KEYPAIR must not');
    const payoutKey = { PAYOUT_KEYPAIR: SUPER_ADMIN_KEYPAIR };
    expect(complaintsAbout({ ...rest, ...remote, ...payoutKey })).toContain('PAYOUT_KEYPAIR must not');
    expect(complaintsAbout({ ...rest, ...remote, SIGNER_SECRET: '' })).toContain('SIGNER_SECRET is needed');
    const alone = { NODE_ENV: 'production', ENGULF_ROLES: 'signer', SIGNER_SECRET: rest.TICKET_SECRET };
    expect(readConfig({ ...alone, PROGRAM_ID, SUPER_ADMIN_KEYPAIR }).signerRole?.programId).toBe(PROGRAM_ID);
    const ofSigner = readConfig({ ...alone, PROGRAM_ID, ...payoutKey }).signerRole;
    expect(ofSigner).toMatchObject({ superAdminKeypair: undefined, payoutKeypair: expect.any(Uint8Array) });
    expect(complaintsAbout({ ...alone, PROGRAM_ID })).toContain('PAYOUT_KEYPAIR is needed by the signer');
    expect(complaintsAbout({ ...production, ENGULF_ROLES: 'signer|worker' })).toContain('only role');
    const weak = { ...alone, PROGRAM_ID, SUPER_ADMIN_KEYPAIR, SIGNER_SECRET: 'x'.repeat(40) };
    expect(complaintsAbout(weak)).toContain('SIGNER_SECRET');
  });

  test('reads the limits of payouts in SOL and per token', () => {
    const mint = production.PROGRAM_ID;
    const { limits } = readConfig({
      PAYOUT_LIMIT_SOL: '1.5',
      PAYOUT_LIMIT_TOKENS: `{"${mint}":{"payout":"1","lobbyHour":"2","hour":"3"}}`,
    }).payouts;
    expect(limits.sol).toEqual({
      payout: 1_500_000_000n,
      lobbyHour: 50_000_000_000n,
      hour: 200_000_000_000n,
      day: 1_000_000_000_000n,
    });
    expect(limits.tokens).toEqual({ [mint]: { payout: 1n, lobbyHour: 2n, hour: 3n, day: 15n } });
    expect(readConfig({ PAYOUT_LIMIT_DAY_SOL: '300' }).payouts.limits.sol.day).toBe(300_000_000_000n);
    expect(complaintsAbout({ PAYOUT_LIMIT_DAY_SOL: '100' })).toContain('PAYOUT_LIMIT_DAY_SOL');
    for (const PAYOUT_LIMIT_SOL of ['-1', '0', 'many', '1e3']) {
      expect(complaintsAbout({ PAYOUT_LIMIT_SOL })).toContain('PAYOUT_LIMIT_SOL');
    }
    for (const PAYOUT_LIMIT_TOKENS of ['{', '[]', '{"x":{}}', `{"${mint}":{"payout":1}}`]) {
      expect(complaintsAbout({ PAYOUT_LIMIT_TOKENS })).toContain('PAYOUT_LIMIT_TOKENS');
    }
    expect(complaintsAbout({ PAYOUT_LIMIT_SOL: '60' })).toContain('PAYOUT_LIMIT_LOBBY_HOUR_SOL');
  });

  test('refuses an external chain with variables missing', () => {
    expect(complaintsAbout({ SOLANA_RPC_URL: 'https://rpc.example' })).toContain('PROGRAM_ID');
  });

  test('takes several Solana nodes and refuses a list with a bad address', () => {
    const listed = (urls: string) => ({ ...production, SOLANA_RPC_URL: urls });
    expect(readConfig(listed('https://a.example, https://b.example')).chain).toMatchObject({
      rpcUrls: ['https://a.example', 'https://b.example'],
    });
    expect(complaintsAbout(listed('https://a.example,nonsense'))).toContain('SOLANA_RPC_URL');
  });

  test('generates a secret only if there is a data folder to keep it in', () => {
    const { TICKET_SECRET: _, ...rest } = { ...production, NODE_ENV: 'development' };
    expect(complaintsAbout(rest)).toContain('TICKET_SECRET');
    const { DATABASE_URL: __, ...embedded } = rest;
    expect(complaintsAbout(embedded)).toBe('');
  });

  test('takes prices from their source, else from a constant, and makes up an example for play money only', () => {
    const constant = { kind: 'constant', microUsdPerSol: 142_350_000n };
    const { prices } = readConfig({
      ...production,
      PRICE_URL: 'https://prices.example/?key=x',
      SOL_USD_PRICE: '1',
    });
    expect(prices).toEqual({ kind: 'http', url: 'https://prices.example/?key=x' });
    expect(readConfig({ ...production, SOL_USD_PRICE: '142.35' }).prices).toEqual({
      ...constant,
      isExample: false,
    });
    expect(readConfig(production).prices).toEqual({ kind: 'none' });
    expect(readConfig({}).prices).toMatchObject({ kind: 'constant', isExample: true });
    expect(readConfig({ SOL_USD_PRICE: '142.35' }).prices).toEqual({ ...constant, isExample: true });
  });

  test('overrides single rules and refuses unknown ones', () => {
    const { rules } = readConfig({ ARENA_RULES: '{"portals":{"idleSeconds":3},"bots":{"stake":5}}' });
    expect(rules.portals).toMatchObject({ idleSeconds: 3, warningSeconds: 10 });
    expect(rules.bots.stake).toBe(5n);
    for (const bad of [
      '{"portals":{"idleSecond":3}}',
      '{"portals":4}',
      '{"worldSize":"big"}',
      '{"toString":1}',
    ]) {
      expect(complaintsAbout({ ARENA_RULES: bad })).toContain('ARENA_RULES');
    }
  });

  test('is documented in .env.example, variable by variable', () => {
    const example = readFileSync(join(import.meta.dirname, '../../../../../.env.example'), 'utf8');
    const described = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1]);
    expect(described.toSorted()).toEqual(VARIABLE_NAMES.toSorted());
  });
});
