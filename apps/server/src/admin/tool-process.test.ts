import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createPageClient } from '@engulf/trials/page-client';
import { createServerHome, type ServerHome } from '@engulf/trials/server-home';
import { COMPILED, type ServerProcess } from '@engulf/trials/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const REASON = ['--reason', 'a test'];
/** Database and chain are opened twice. */
const START_TIMEOUT_MS = 120_000;

let home: ServerHome;
let server: ServerProcess;

beforeAll(async () => {
  home = await createServerHome();
  server = await home.start();
});
afterAll(() => home.dispose());

/** The tool in a process of its own, as an operator runs it. */
async function tool(argv: readonly string[], typed = '') {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts'), ...argv],
    {
      env: { ...COMPILED, ...home.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin.end(typed);
  const text = { output: '', errors: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    text.output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    text.errors += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...text };
}

const socketPath = () => join(home.folder, 'admin.sock');

describe('with a running server', () => {
  test('a command runs in the server, which follows it at once', async () => {
    const created = await tool([
      'lobby',
      'create',
      'Rock Pool',
      '--type',
      'normal',
      '--price',
      '0.02',
      ...REASON,
    ]);
    expect(created).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('✓ open') });
    const { output } = await tool(['lobby', 'list', '--json']);
    expect(JSON.parse(output)).toContainEqual(
      expect.objectContaining({ name: 'Rock Pool', price: '0.02 SOL', state: 'open', chainId: '6' }),
    );
    const page = await createPageClient(server.url);
    await page.signIn();
    expect(await tool(['user', 'ban', page.wallet.address, ...REASON])).toMatchObject({ code: 0 });
    expect(await page.get('/api/auth/profile')).toMatchObject({ status: 401 });
    expect(await page.signIn()).toMatchObject({ status: 403, body: { error: 'USER_BANNED' } });
  });

  test('refusals and wrong words come back with their exit codes', async () => {
    expect(await tool(['lobby', 'lock', 'Nowhere', ...REASON])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('There is no lobby "Nowhere"'),
    });
    expect(await tool(['lobby', 'fly'])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('lobby drain'),
    });
    // Nobody is at the keyboard to confirm.
    const unusual = ['lobby', 'create', 'Gold Fish', '--type', 'normal', '--price', '5000'];
    expect(await tool([...unusual, ...REASON])).toMatchObject({
      code: 2,
      errors: expect.stringContaining('add --yes'),
    });
  });

  test('the socket is closed to other users of the machine', async () => {
    expect(statSync(socketPath()).mode & 0o777).toBe(0o600);
    expect(statSync(home.folder).mode & 0o777).toBe(0o700);
    if (process.getuid?.() !== 0) return;
    const script = `require('node:net').connect(${JSON.stringify(socketPath())}).on('error', (e) => { console.log(e.code); process.exit(0); }).on('connect', () => { console.log('connected'); process.exit(0); })`;
    const stranger = spawn('/bin/sh', ['-c', 'exec "$0" -e "$1"', process.execPath, script], {
      uid: 65_534,
      gid: 65_534,
      cwd: '/',
    });
    let said = '';
    stranger.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    await once(stranger, 'close');
    expect(said).toBe('EACCES\n');
  });

  test('nonsense on the socket ends that connection and nothing else', async () => {
    const socket = connect(socketPath());
    await once(socket, 'connect');
    socket.write('{"argv":7}\n');
    await once(socket.resume(), 'close');
    expect(await tool(['switch', 'list'])).toMatchObject({ code: 0 });
  });
});

test(
  'without a server the tool opens the data folder and the chain itself',
  async () => {
    await server.kill('SIGKILL');
    const changed = await tool(['lobby', 'price', 'Rock Pool', '0.03', ...REASON]);
    expect(changed).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('new price') });
    const { output } = await tool(['audit', 'list', '--json']);
    expect(JSON.parse(output).map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['lobby price', 'user ban', 'lobby create']),
    );
  },
  START_TIMEOUT_MS,
);
