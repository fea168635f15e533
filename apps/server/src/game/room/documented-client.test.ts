import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';

/* The client in docs/protocol.md, as it stands there, in a process of its own. */

const document = readFileSync(new URL('../../../../../docs/protocol.md', import.meta.url), 'utf8');
const source = /```js\n([\s\S]*?)```/.exec(document)![1]!;
const folder = mkdtempSync(join(tmpdir(), 'engulf-client-'));
const program = join(folder, 'client.mjs');
const portals = { ...QUICK_RULES.portals, idleSeconds: 6, warningSeconds: 1, activeSeconds: 60 };
const food = { ...QUICK_RULES.food, count: 100 };
const STARTED_WITHIN = { timeout: 60_000, interval: 50 };
const lobby = freeLobby();
let server: ArenaServer;
let client: ChildProcess | undefined;
let said: string;

beforeAll(() => writeFileSync(program, source));
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(async () => {
  server = await startArenaServer([lobby], { ...QUICK_RULES, food, portals });
});
afterEach(async () => {
  client?.kill('SIGKILL');
  await server.stop();
});

function start(ticket: string): Promise<number | null> {
  said = '';
  const started = spawn(process.execPath, [program, server.url, lobby.id, ticket]);
  for (const stream of [started.stdout!, started.stderr!]) {
    stream.on('data', (text) => {
      said += String(text);
    });
  }
  client = started;
  return new Promise((resolve) => started.once('exit', resolve));
}

test('has about sixty lines', () => {
  expect(source.split('\n').length).toBeLessThanOrEqual(75);
});

test('joins, eats and leaves through a portal', async () => {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const ended = start(ticket);
  // Game time stands still while the process starts.
  await vi.waitFor(() => expect(said).toContain(`in the arena as ${seat.name}`), STARTED_WITHIN);
  await server.until(() => expect(Number(/mass (\d+)\n$/.exec(said)?.[1])).toBeGreaterThan(44));
  await server.until(() => expect(said).toContain('over: portal'));
  expect(await ended).toBe(0);
});

test('says why it is refused', async () => {
  const ended = start('forged');
  await vi.waitFor(() => expect(said).toMatch(/^error: \w/), STARTED_WITHIN);
  expect(await ended).toBe(1);
});
