import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { readHttpPrices } from './http-provider.ts';
import type { PriceReading } from './price-book.ts';
import { followProvider, openPrices } from './prices.ts';

const MINT = 'So11111111111111111111111111111111111111112';
const servers: Server[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function source(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/?key=secret`;
}

const answering = (body: string, status = 200) =>
  source((_request, response) => response.writeHead(status).end(body));

test('the documented answer is read to the micro-dollar', async () => {
  const body = JSON.stringify({ prices: { SOL: '142.3512349', [MINT]: '0.000001' }, more: 1 });
  expect(await readHttpPrices(await answering(body))).toEqual(
    new Map([
      ['SOL', 142_351_234n],
      [MINT, 1n],
    ]),
  );
});

test('what is not a decimal text of a known kind of currency is left out', async () => {
  const prices = { SOL: 142.35, [MINT]: '1e3', EUR: '1', [`${MINT}x`]: '1' };
  expect(await readHttpPrices(await answering(JSON.stringify({ prices })))).toEqual(new Map());
});

test.each([
  ['an error', () => answering('{"prices":{"SOL":"1"}}', 500)],
  ['another shape', () => answering('{"SOL":"142.35"}')],
  ['no JSON', () => answering('<html>')],
  ['a body without end', () => source((_request, response) => response.write('x'.repeat(65 * 1024)))],
  ['a redirect', () => source((_request, response) => response.writeHead(302, { location: '/x' }).end())],
  ['silence', () => source(() => undefined)],
])('a source that answers with %s gives no price', async (_name, open) => {
  await expect(readHttpPrices(await open(), 300)).rejects.toThrow();
});

/** Prices that follow a provider on fake timers. */
function follow(read: () => Promise<PriceReading>) {
  vi.useFakeTimers();
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
  return { prices: followProvider(read, { logger, nowMs: () => Date.now() }), lines };
}

test('a source that fails leaves the price until it is too old; it returns with the source', async () => {
  let isUp = true;
  const { prices, lines } = follow(async () => {
    if (!isUp) throw new Error('https://prices.example/?key=secret');
    return new Map([['SOL', 150_000_000n]]);
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(prices.microUsdOf('SOL')).toBe(150_000_000n);
  isUp = false;
  await vi.advanceTimersByTimeAsync(80_000);
  expect(prices.microUsdOf('SOL')).toBe(150_000_000n);
  const quoted = prices.quote();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(prices.microUsdOf('SOL')).toBeUndefined();
  expect(quoted('SOL')).toBe(150_000_000n);
  isUp = true;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(prices.microUsdOf('SOL')).toBe(150_000_000n);
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join()).not.toContain('secret');
  prices.close();
});

test('a slow source is not asked again before it has answered', async () => {
  const read = vi.fn(() => new Promise<PriceReading>(() => undefined));
  const { prices } = follow(read);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(read).toHaveBeenCalledTimes(1);
  expect(prices.microUsdOf('SOL')).toBeUndefined();
  prices.close();
});

test('a constant is the price of SOL, and an example where the money is play money', () => {
  const deps = { logger: pino({ level: 'silent' }), nowMs: () => 0 };
  const constant = { kind: 'constant', microUsdPerSol: 150_000_000n } as const;
  const real = openPrices({ ...constant, isExample: false }, { ...deps, testMint: undefined });
  expect([real.microUsdOf('SOL'), real.microUsdOf(MINT), real.areExamples]).toEqual([
    150_000_000n,
    undefined,
    false,
  ]);
  const example = openPrices({ ...constant, isExample: true }, { ...deps, testMint: MINT });
  expect(example.areExamples).toBe(true);
  expect(example.microUsdOf(MINT)).toBeGreaterThan(0n);
  const none = openPrices({ kind: 'none' }, { ...deps, testMint: undefined });
  expect(none.microUsdOf('SOL')).toBeUndefined();
});
