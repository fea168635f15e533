import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { findFreePort } from '../packages/localnet/src/testing/free-ports.ts';

const CONFIG = join(import.meta.dirname, '../deploy/nginx/nginx.conf');
/** Debian has it where only root looks for programs. */
const PATH = `${process.env['PATH']}:/usr/sbin`;

/** Debian ships it as a package of its own, whose folder of modules to load the configuration includes. */
const STREAM_MODULE = process.env['NGINX_STREAM_MODULE'] ?? '/usr/lib/nginx/modules/ngx_stream_module.so';
const nginxVersion = spawnSync('nginx', ['-V'], { env: { PATH }, encoding: 'utf8' });
const hasStream = / --with-stream( |$)/m.test(nginxVersion.stderr ?? '') || existsSync(STREAM_MODULE);
const hasNginx = nginxVersion.status === 0;

/** What is left can be tested without the module. */
function withoutStream(text: string): string {
  return text
    .replace(/^stream \{.*?^\}$/ms, '')
    .replaceAll(/(?<=listen .*) proxy_protocol/g, '')
    .replace('real_ip_header proxy_protocol;', '');
}

/** Not the address by which the parts of nginx talk to each other. */
const VISITOR = '127.0.0.9';

type Answer = { name: string; url: string; forwarded: string } | { status: number | undefined };

describe.skipIf(!hasNginx)('nginx with our configuration', () => {
  let folder: string;
  let nginx: ChildProcess;
  let port: number;
  let tlsPort: number;
  const clients: Socket[] = [];
  const upstreams: Server[] = [];

  async function startUpstream(name: string): Promise<number> {
    const answer = (url: string | undefined, forwarded: unknown) => JSON.stringify({ name, url, forwarded });
    const server = createServer(({ url, headers }, response) =>
      response.end(answer(url, headers['x-forwarded-for'])),
    );
    server.on('upgrade', ({ url, headers }, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
      socket.end(answer(url, headers['x-forwarded-for']));
    });
    upstreams.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'engulf-nginx-'));
    [port, tlsPort] = [await findFreePort(), await findFreePort()];
    const [inner, innerTls] = [await findFreePort(), await findFreePort()];
    if (!hasStream) [port, tlsPort] = [inner, innerTls];
    const module = existsSync(STREAM_MODULE) ? `load_module ${STREAM_MODULE};` : '';
    let text = (hasStream ? readFileSync(CONFIG, 'utf8') : withoutStream(readFileSync(CONFIG, 'utf8')))
      .replace('include /etc/nginx/modules-enabled/*.conf;', module)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('listen 443;', `listen 127.0.0.1:${tlsPort};`)
      .replaceAll('127.0.0.1:8080', `127.0.0.1:${inner}`)
      .replaceAll('127.0.0.1:8443', `127.0.0.1:${innerTls}`)
      // Fewer than the places of three addresses.
      .replace('worker_connections 32768;', 'worker_connections 1024;')
      .replaceAll('/etc/nginx/certificates', folder)
      .replaceAll('/etc/nginx/mime.types', join(folder, 'mime.types'))
      .replace('worker_rlimit_nofile 131072;', `pid ${folder}/nginx.pid; error_log ${folder}/error.log;`);
    for (const name of ['api-1', 'api-2', 'game-1', 'game-2']) {
      text = text.replaceAll(`${name}:3000`, `127.0.0.1:${await startUpstream(name)}`);
    }
    cpSync('/etc/nginx/mime.types', join(folder, 'mime.types'));
    writeFileSync(join(folder, 'nginx.conf'), text);
    const certificate = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    execFileSync(
      'openssl',
      [...certificate, '-subj', '/CN=localhost', '-keyout', 'privkey.pem', '-out', 'fullchain.pem'],
      { cwd: folder, stdio: 'ignore' },
    );
    // One process without workers: whatever ends it, nothing of it is left.
    const alone = 'daemon off; master_process off;';
    nginx = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-g', alone], {
      stdio: 'ignore',
      env: { PATH },
    });
    await vi.waitFor(() => ask('/'), { timeout: 10_000 });
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });
  afterAll(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGTERM');
    await ended;
    for (const server of upstreams) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Through TLS, pretending to come from elsewhere. */
  function ask(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: tlsPort,
        path,
        rejectUnauthorized: false,
        agent: false,
        localAddress: VISITOR,
      };
      const sent = secureRequest({ ...options, headers: { 'x-forwarded-for': '203.0.113.9', ...headers } });
      sent.on('error', reject);
      sent.on('response', async (response) => {
        const text = (await response.toArray()).join('');
        resolve(response.statusCode === 200 ? JSON.parse(text) : { status: response.statusCode });
      });
      sent.on('upgrade', async (_response, socket, head) => {
        resolve(JSON.parse(head.toString() + (await socket.toArray()).join('')));
      });
      sent.end();
    });
  }

  test('sends the page and the API to an api process, with the address that it saw itself', async () => {
    expect(await ask('/api/config')).toEqual({
      name: expect.stringMatching(/^api-[12]$/),
      url: '/api/config',
      forwarded: VISITOR,
    });
  });

  test.each([1, 2])('cuts off the prefix of game process %i', async (nth) => {
    expect(await ask(`/game/${nth}/docs`)).toMatchObject({
      name: `game-${nth}`,
      url: '/docs',
    });
  });

  test.each([
    ['/game/1/agar_game?lobbyId=x', 'game-1', '/agar_game?lobbyId=x'],
    ['/socket.io/?EIO=4&transport=websocket', 'api', '/socket.io/?EIO=4&transport=websocket'],
  ])('passes a WebSocket to %s on', async (path, name, url) => {
    const answer = await ask(path, { connection: 'Upgrade', upgrade: 'websocket' });
    expect(answer).toMatchObject({ name: expect.stringContaining(name), url });
  });

  test.each(['/metrics', '/readyz', '/game/1/metrics', '/game/2/healthz'])(
    'keeps %s to itself',
    async (path) => {
      expect(await ask(path)).toEqual({ status: 404 });
    },
  );

  /** Connects and says something, or nothing. */
  const hang = (localAddress: string, said: Buffer | undefined, to = tlsPort): Socket => {
    const client = connect({ host: '127.0.0.1', port: to, localAddress }).on('error', () => undefined);
    if (said) client.write(said);
    clients.push(client.resume());
    return client;
  };

  test.skipIf(!hasStream).each([
    ['that say nothing', undefined, () => tlsPort],
    ['that begin a handshake', Buffer.of(0x16, 0x03, 0x01), () => tlsPort],
    ['that begin a request', Buffer.from('GET / HT'), () => port],
  ])(
    'takes a hundred connections %s from an address, and serves others meanwhile',
    async (_name, said, to) => {
      const held = Array.from({ length: 600 }, () => hang('127.0.0.2', said, to()));
      await vi.waitFor(() => expect(held.filter(({ closed }) => !closed)).toHaveLength(100), 4_000);
      for (let i = 0; i < 5; i++) expect(await ask('/')).toMatchObject({ forwarded: VISITOR });
    },
  );

  test('closes a connection that does not finish its request after five seconds', {
    timeout: 15_000,
  }, async () => {
    const client = hang('127.0.0.3', Buffer.from('GET / HT'), port);
    const startedMs = performance.now();
    await new Promise((resolve) => client.once('close', resolve));
    expect(performance.now() - startedMs).toBeLessThan(8_000);
  });

  test('sends plain HTTP to HTTPS', async () => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path: '/x',
      headers: { host: 'play.example.com' },
    }).end();
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(308);
    expect(response.headers.location).toBe('https://play.example.com/x');
  });
});
