import { type MatchId, matchId } from '@engulf/domain/ids/entity-ids';
import { standardRules } from '@engulf/sim/rules';
import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withNode } from '../../testing/fake-node.ts';
import { soon } from '../../testing/soon.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { GameLobby, GamePorts } from '../game/ports.ts';
import { isRoomOpen } from '../lobbies/lease.ts';
import { createRecordings } from '../matches/recordings.ts';
import { recoverMatches } from '../matches/recover-matches.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses, matches } from '../platform/database/games.ts';
import { createGamePorts } from './ports.ts';

let server: TestServer;
let context: Context;
let ports: GamePorts;
let lobby: GameLobby;
let isStorageDown: boolean;
let isOver = false;

/** A second is a hundredth of one, until the chain is gone, which what is prepared here would go on to ask. */
const clock = {
  ...systemClock,
  setTimer: (ms: number, run: () => void) => systemClock.setTimer(ms / 100, () => isOver || run()),
};

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(async () => {
  isStorageDown = false;
  const alive = server.afterRestart();
  context = { ...alive, storage: withOutages(alive.storage) };
  await context.db.delete(gameProcesses);
  await context.db.insert(gameProcesses).values({ id: context.processId, version: 'one' });
  ports = createGamePorts(context, { clock }).ports;
  lobby = (await ports.listLobbies()).find(({ name }) => name === 'Shallows')!;
});
afterAll(() => {
  isOver = true;
  return server.dispose();
});

function withOutages(storage: Context['storage']): Context['storage'] {
  const orFail =
    <Parameters extends unknown[], Answer>(work: (...given: Parameters) => Promise<Answer>) =>
    async (...given: Parameters) => {
      if (isStorageDown) throw new Error('connect ECONNREFUSED');
      return work(...given);
    };
  return { ...storage, putNew: orFail(storage.putNew), get: orFail(storage.get) };
}

async function openMatch(): Promise<MatchId> {
  expect(await ports.takeLease(lobby.id)).toBe(true);
  const { id } = await soon(async () => {
    const prepared = await ports.prepareMatch(lobby, standardRules);
    expect(prepared).toBeDefined();
    return prepared!;
  });
  ports.recordPart(id, 'header', new Uint8Array([1]));
  return id;
}

async function rowOf(id: MatchId) {
  const [row] = await context.db.select().from(matches).where(eq(matches.id, id));
  return row!;
}

const endOf = (id: MatchId) => ({ id, lobbyId: lobby.id, finalTick: 1, spill: 0n });

test('a lobby opens again while the recording of its last match waits for the storage, and nothing of it is lost', async () => {
  const first = await openMatch();
  isStorageDown = true;
  ports.recordPart(first, 'segment', new Uint8Array([2]));
  await ports.closeMatch(endOf(first));
  await ports.releaseLease(lobby.id);
  const second = await openMatch();
  expect(second).not.toBe(first);
  // Nobody else may end it: parts are missing.
  await recoverMatches(context);
  await ports.releaseLease(lobby.id);
  expect(await rowOf(first)).toMatchObject({ endedAt: null, secret: null });
  isStorageDown = false;
  await soon(async () => expect(await rowOf(first)).toMatchObject({ endedAt: expect.any(Date) }));
  expect(await rowOf(first)).toMatchObject({ isCut: false, partCount: 3, finalTick: 1 });
});

test('a match that waits for the storage does not make its lobby look open while the next one is prepared', async () => {
  const first = await openMatch();
  const isOpen = () => isRoomOpen(context, lobby.id, new Date(context.nowMs()));
  expect(await isOpen()).toBe(true);
  isStorageDown = true;
  await ports.closeMatch(endOf(first));
  await ports.releaseLease(lobby.id);
  const waiting = withNode(context, { getSlot: () => new Promise(() => {}) });
  const next = createGamePorts(waiting, { clock }).ports;
  expect(await next.takeLease(lobby.id)).toBe(true);
  expect(await next.prepareMatch(lobby, standardRules)).toBeUndefined();
  const isNext = and(
    eq(matches.lobbyId, lobby.id),
    eq(matches.heldBy, context.processId),
    ne(matches.id, first),
  );
  // Two if the process before had begun to prepare one when it let the lobby go.
  await soon(async () => expect(await context.db.$count(matches, isNext)).toBeGreaterThan(0));
  expect(await isOpen()).toBe(false);
});

test('a recording that waits is closed by others if its process is declared dead', async () => {
  const id = await openMatch();
  isStorageDown = true;
  ports.recordPart(id, 'segment', new Uint8Array([2]));
  await ports.closeMatch(endOf(id));
  await ports.releaseLease(lobby.id);
  await context.db.delete(gameProcesses);
  isStorageDown = false;
  await soon(async () => expect(await rowOf(id)).toMatchObject({ heldBy: '' }));
  expect(await rowOf(id)).toMatchObject({ endedAt: null });
  await recoverMatches(server.afterRestart());
  expect(await rowOf(id)).toMatchObject({ isCut: true, endedAt: expect.any(Date) });
});

test('a match whose recording cannot be stored soon is not handed over, and goes on where it is', async () => {
  const id = await openMatch();
  await context.db.insert(gameProcesses).values({ id: 'successor', version: 'one' });
  isStorageDown = true;
  ports.recordPart(id, 'segment', new Uint8Array([2]));
  const leaving = { id, lobbyId: lobby.id, entryIds: [], state: new Uint8Array([7]) };
  expect(await ports.handOver(leaving)).toBeUndefined();
  expect(await rowOf(id)).toMatchObject({ heldBy: context.processId });
  isStorageDown = false;
  await soon(async () => expect(await ports.handOver(leaving)).toBeDefined());
});

test('all recordings that wait for the storage take a bounded amount of memory', async () => {
  isStorageDown = true;
  const recordings = createRecordings(context, clock);
  const part = new Uint8Array(16 * 1024 * 1024);
  const ids = Array.from({ length: 17 }, (_, nth) => matchId(`outage-${nth}`));
  for (const id of ids) recordings.recordPart(id, 'segment', part);
  isStorageDown = false;
  const states = await soon(async () => {
    const flushed = await Promise.all(ids.map((id) => recordings.flush(id)));
    expect(flushed.filter((state) => state?.partCount === 1)).toHaveLength(16);
    return flushed;
  });
  expect(states.at(-1)).toBeUndefined();
});
