import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMPILED } from '@engulf/trials/server-process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing, type Service, startPostgres } from '../../testing/services.ts';

describe.skipIf(isMissing('postgres'))('the tool in production, on one machine without Redis', () => {
  let postgres: Service;
  const folder = mkdtempSync(join(tmpdir(), 'engulf-tool-'));

  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    await postgres?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const tool = (...argv: readonly string[]) => toolAt(postgres.url, ...argv);

  function toolAt(
    url: string,
    ...argv: readonly string[]
  ): Promise<{ code: number; output: string; errors: string }> {
    const environment = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://engulf.example',
      DATABASE_URL: url,
      // Nothing that is run here asks a node.
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      SOLANA_WS_URL: 'ws://127.0.0.1:9',
      PUBLIC_SOLANA_RPC_URL: 'http://127.0.0.1:9',
      PROGRAM_ID: 'CFtdjtiYjwfRbKvB45xmGnozzDGNEpMy15ekSrsjNqWA',
      TICKET_SECRET: randomBytes(48).toString('base64'),
      STORAGE_DIR: folder,
      ...COMPILED,
    };
    const main = join(import.meta.dirname, 'main.ts');
    return new Promise((resolve) => {
      execFile(process.execPath, [main, ...argv], { env: environment }, (error, output, errors) =>
        resolve({ code: Number(error?.code ?? 0), output, errors }),
      );
    });
  }

  test('says in a sentence that the database is away, lets nobody in, or is not there', async () => {
    const { port } = new URL(postgres.url);
    const cases = [
      ['postgres://127.0.0.1:9/engulf', 'ECONNREFUSED'],
      [`postgres://nobody@127.0.0.1:${port}/postgres`, 'nobody'],
      [`${postgres.url.replace(/\/[^/]*$/, '')}/another`, '"another" does not exist'],
    ] as const;
    for (const [url, reason] of cases) {
      const { code, errors } = await toolAt(url, 'lobby', 'list');
      expect({ code, lines: errors.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
      expect(errors).toContain('PostgreSQL cannot be used');
      expect(errors).toContain(reason);
      expect(await toolAt(url, 'database', 'migrate', '--reason', 'a start')).toMatchObject({ errors });
    }
  });

  async function countTables(): Promise<number> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rowCount } = await client.query(
      `select from information_schema.tables where table_schema in ('public', 'drizzle')`,
    );
    await client.end();
    return rowCount!;
  }

  test('never migrates by looking, says what is missing, and migrates by command', async () => {
    expect(await tool('lobby', 'list')).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^The database is empty\. .* database migrate/),
    });
    const status = await tool('database', 'status', '--json');
    expect(JSON.parse(status.output)).toMatchObject({
      pending: expect.arrayContaining(['0000_start']),
    });
    expect(await tool('database', 'migrate', '--dry-run')).toMatchObject({
      code: 0,
      output: expect.stringContaining('apply 0000_start'),
    });
    expect(await tool('database', 'archive')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('archive_mode is off'),
    });
    expect(await countTables()).toBe(0);

    expect(await tool('database', 'migrate', '--reason', 'a first start')).toMatchObject({ code: 0 });
    expect(await tool('database', 'status')).toMatchObject({ output: 'The database is up to date.\n' });
    expect(await tool('lobby', 'list')).toMatchObject({ code: 0, errors: '' });
    expect(await tool('audit', 'list')).toMatchObject({
      output: expect.stringContaining('database migrate'),
    });
  });
});
