import { standardRules } from '@engulf/sim/rules';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { STAKE } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  createUser,
  expireTimedOut,
  keepRoomsRunning,
  newestEntry,
  pay,
  payoutsOf,
  takeBody,
  verifyAll,
} from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { createGamePorts } from '../game-host/ports.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses, matches } from '../platform/database/games.ts';
import type { UserRow } from '../platform/database/people.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;
let user: UserRow;
let wallet: Awaited<ReturnType<TestServer['newWallet']>>;

beforeAll(async () => {
  server = await startTestServer();
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

beforeEach(async () => {
  context = server.context;
  await keepRoomsRunning(context);
  wallet = await server.newWallet();
  user = await createUser(context, wallet);
  await ask(context, user, lobby);
  await confirm(context, user, lobby, await pay(context, wallet, lobby));
});

/** Everything is down for a while; then a new process starts. */
async function crashAndRestart(downMs: number): Promise<void> {
  await context.db.delete(gameProcesses);
  server.advance(downMs);
  context = server.afterRestart();
}

/** A process takes the lobby, and its room opens when the block of the match is final. */
async function takeLobby() {
  await context.db.insert(gameProcesses).values({ id: context.processId, version: 'test' });
  const { ports } = createGamePorts(context);
  const [game] = (await ports.listLobbies()).filter(({ id }) => id === lobby.id);
  expect(await ports.takeLease(lobby.id)).toBe(true);
  const prepare = () => ports.prepareMatch(game!, standardRules);
  return { prepare, openRoom: () => vi.waitUntil(prepare, { timeout: 20_000 }) };
}

const openRoom = async () => (await takeLobby()).openRoom();

describe('a paid seat, when the server dies before its player is in,', () => {
  test('waits for the room and has its whole time again when the room is back', async () => {
    await verifyAll(context);
    await crashAndRestart(600_000);
    await expireTimedOut(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent' });
    await openRoom();
    server.advance(110_000);
    await expireTimedOut(context);
    await takeBody(context, user, lobby);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'playing' });
  });

  test('waits while a process has the lobby, but its room is not open yet', async () => {
    await verifyAll(context);
    await crashAndRestart(600_000);
    const { openRoom } = await takeLobby();
    server.advance(600_000);
    await expireTimedOut(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent' });
    await openRoom();
    server.advance(110_000);
    await expireTimedOut(context);
    await takeBody(context, user, lobby);
  });

  test('waits while its match is ready, but nobody has looked whether it is', async () => {
    await verifyAll(context);
    await crashAndRestart(600_000);
    const { prepare } = await takeLobby();
    expect(await prepare()).toBeUndefined();
    const isOurs = and(eq(matches.lobbyId, lobby.id), eq(matches.heldBy, context.processId));
    await vi.waitUntil(
      async () =>
        (await context.db.select().from(matches).where(isOurs)).some((match) => match.publicSlot !== null),
      { timeout: 20_000 },
    );
    await expireTimedOut(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent' });
  });

  test('is not given up before its payment has been looked at', async () => {
    await crashAndRestart(1_000_000);
    await expireTimedOut(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_processing' });
    await verifyAll(context);
    await openRoom();
    await takeBody(context, user, lobby);
  });

  test('is refunded if the room does not come back within an hour', async () => {
    await verifyAll(context);
    await crashAndRestart(3_721_000);
    await expireTimedOut(context);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('is refunded if the room runs and its player does not come', async () => {
    await verifyAll(context);
    server.advance(121_000);
    await keepRoomsRunning(context);
    await expireTimedOut(context);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });
});
