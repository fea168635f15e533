import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { MatchEntry, PublicMatch } from '@engulf/protocol/http/matches';
import { expect, test } from 'vitest';
import { fetchMatch } from './fetch-match.ts';
import { playMatch } from './testing/played-match.ts';

const ENTRIES = Array.from(
  { length: 5 },
  (_, i): MatchEntry => ({
    id: `entry-${i}`,
    player: { id: `user-${i}`, name: `Player ${i}` },
    stake: '0',
    payment: null,
    outcome: 'killed',
    amount: '0',
    payout: null,
  }),
);
const MATCH = { ...playMatch({ seed: 7, moves: [] }).match, entryCount: ENTRIES.length };

/** Answers with two entries, with all of them in the file, and refuses the second request as one too many. */
async function startServer(match: PublicMatch) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    if (asked.length === 2) return void response.writeHead(429, { 'retry-after': '0' }).end();
    const isFile = request.url!.endsWith('/facts');
    const entries = isFile ? ENTRIES : ENTRIES.slice(0, 2);
    const text = JSON.stringify({ status: 'success', data: { ...match, entries } });
    if (isFile) response.setHeader('content-encoding', 'gzip');
    response.end(isFile ? gzipSync(text) : text);
  });
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { url, asked, [Symbol.asyncDispose]: async () => void server.close() };
}

test('a match is fetched with all its entries, even if the server asks for patience', async () => {
  await using server = await startServer(MATCH);
  const { entries } = await fetchMatch(server.url, MATCH.id);
  expect(entries).toEqual(ENTRIES);
  expect(server.asked).toHaveLength(3);
});

test('a server that has fewer entries than it says does not keep the check waiting', async () => {
  await using server = await startServer({ ...MATCH, entryCount: 1_000 });
  const { entries } = await fetchMatch(server.url, MATCH.id);
  expect(entries).toEqual(ENTRIES);
});
