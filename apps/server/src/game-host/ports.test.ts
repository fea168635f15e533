import { randomUUID } from 'node:crypto';
import { refuse } from '@engulf/domain/errors/registry';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { standardRules } from '@engulf/sim/rules';
import { and, eq, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { createManualClock } from '../../testing/game/manual-clock.ts';
import { ask, createUser, keepRoomsRunning, newestEntry } from '../../testing/players.ts';
import { soon } from '../../testing/soon.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { openSession } from '../accounts/sessions.ts';
import type { GamePorts } from '../game/ports.ts';
import { readSecrets } from '../matches/match-states.ts';
import { partKey } from '../matches/recording-parts.ts';
import { recoverMatches } from '../matches/recover-matches.ts';
import { matches } from '../platform/database/games.ts';
import { users } from '../platform/database/people.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';
import { readRecords } from '../stats/records.ts';
import { createGamePorts } from './ports.ts';

let server: TestServer;
let ports: GamePorts;

beforeAll(async () => {
  server = await startTestServer();
  ports = createGamePorts(server.context).ports;
});
afterAll(() => server.dispose());

const newUser = async () => createUser(server.context, await server.newWallet({}));

describe('the real ports', () => {
  test('list all lobbies, with bots only in the free ones', async () => {
    const lobbies = await ports.listLobbies();
    expect(lobbies).toHaveLength(7);
    for (const lobby of lobbies) expect(lobby.botCount > 0).toBe(lobby.isFree);
    expect(lobbies.find(({ name }) => name === 'Shallows')).toMatchObject({
      token: { symbol: 'SOL', decimals: 9 },
      entryFee: 50_000_000n,
      multiplierBasis: 50_000_000n,
    });
    expect(lobbies.find(({ name }) => name === 'Primordial')).toMatchObject({ multiplierBasis: 5_000_000n });
  });

  test('read the lobbies less often while nobody has been there for a while', async () => {
    const clock = createManualClock();
    let isQuiet = true;
    const { listLobbies } = createGamePorts(server.context, {
      clock,
      activity: { isQuiet: () => isQuiet },
    }).ports;
    const first = await listLobbies();
    expect(await listLobbies()).toBe(first);
    isQuiet = false;
    expect(await listLobbies()).not.toBe(first);
    isQuiet = true;
    const last = await listLobbies();
    clock.advance(20_001);
    expect(await listLobbies()).not.toBe(last);
  });

  test('identify a user by the session cookie among other cookies', async () => {
    const user = await newUser();
    const token = await openSession(server.context, server.context.db, user.id);
    expect(await ports.identify(`a=b; engulf_session=${token}; c=d`)).toEqual({
      userId: user.id,
      name: user.name,
    });
    expect(await ports.identify('engulf_session=guess')).toBeUndefined();
    expect(await ports.identify(undefined)).toBeUndefined();
    server.advance(8 * 24 * 60 * 60 * 1000);
    expect(await ports.identify(`engulf_session=${token}`)).toBeUndefined();
  });

  test('know who is banned', async () => {
    const [banned, other] = [await newUser(), await newUser()];
    const { db, nowMs } = server.context;
    await db
      .update(users)
      .set({ bannedAt: new Date(nowMs()), banReason: 'a test' })
      .where(eq(users.id, banned.id));
    expect(await ports.findBanned([banned.id, other.id])).toEqual([banned.id]);
    expect(await ports.findBanned([other.id])).toEqual([]);
  });

  test('know the code of a semi-private lobby', async () => {
    const semiPrivate = (await ports.listLobbies()).find(({ lobbyType }) => lobbyType === 'semi-private')!;
    const guesser = { userId: (await newUser()).id, address: '10.0.0.1' };
    const check = (code: string | undefined) => ports.checkLobbyCode(semiPrivate.id, code, guesser);
    expect((await check('amoeba')).ok).toBe(true);
    expect(await check('WRONG')).toEqual(refuse('INVALID_LOBBY_CODE'));
    expect(await check(undefined)).toEqual(refuse('INVALID_LOBBY_CODE'));
  });

  test('limit wrong lobby codes by user and by address, together with those of other calls', async () => {
    const semiPrivate = (await ports.listLobbies()).find(({ lobbyType }) => lobbyType === 'semi-private')!;
    const guess = async (userId: UserId, address: string, code = 'WRONG') => {
      const checked = await ports.checkLobbyCode(semiPrivate.id, code, { userId, address });
      return checked.ok ? 'right' : checked.error.code;
    };
    const { id } = await newUser();
    const elsewhere = createGuessLimits(server.context.rateLimits);
    const client = { address: '10.0.1.0', limitScale: 1 };
    await elsewhere.limit(
      { user: { id }, client },
      async () => refuse('INVALID_LOBBY_CODE'),
      () => true,
    );
    for (let nth = 1; nth < 5; nth++) expect(await guess(id, `10.0.1.${nth}`)).toBe('INVALID_LOBBY_CODE');
    expect(await guess(id, '10.0.1.5', 'AMOEBA')).toBe('RATE_LIMITED');

    const others = await Promise.all(Array.from({ length: 7 }, newUser));
    const answers: string[] = [];
    for (const other of others) {
      for (let nth = 0; nth < 3; nth++) answers.push(await guess(other.id, '10.0.2.1'));
    }
    expect(answers.filter((answer) => answer === 'INVALID_LOBBY_CODE')).toHaveLength(20);
    expect(answers.at(-1)).toBe('RATE_LIMITED');
  });

  test('know an account in its first three lives, in free lobbies only', async () => {
    const lobby = await server.lobby('Petri Dish');
    const user = await newUser();
    await keepRoomsRunning(server.context);
    await ports.takeLease(lobby.id);
    const seen: boolean[] = [];
    for (let life = 0; life < 4; life++) {
      const answer = await ask(server.context, user, lobby);
      if (!answer.ok || answer.value.status !== 'ticketSent') throw new Error(JSON.stringify(answer));
      const seat = await ports.redeemTicket(answer.value.joinTicket, lobby.id);
      if (!seat.ok) throw new Error(seat.error.code);
      seen.push(seat.value.isNewcomer);
      const outcome = { kind: 'killed', amount: 0n, massMilli: 1 } as const;
      await ports.settleEntry(lobby.id, seat.value.entryId, outcome, {
        peakMassMilli: 70_000,
        seconds: 9,
        kills: 2,
      });
    }
    expect(seen).toEqual([true, true, true, false]);
    expect((await readRecords(server.context, user.id)).free).toMatchObject({
      lives: 4,
      kills: 8,
      bestMass: 70,
    });
  });

  test('keep the money of a free lobby out of the ledger', async () => {
    const lobby = await server.lobby('Petri Dish');
    const user = await newUser();
    const answer = await ask(server.context, user, lobby);
    if (!answer.ok || answer.value.status !== 'ticketSent') throw new Error(JSON.stringify(answer));
    await keepRoomsRunning(server.context);
    await ports.takeLease(lobby.id);
    const seat = await ports.redeemTicket(answer.value.joinTicket, lobby.id);
    if (!seat.ok) throw new Error(seat.error.code);
    const { entryId } = seat.value;
    ports.recordBountyMoves(lobby.id, [{ from: 'spill', to: entryId, amount: 5n }]);
    const outcome = { kind: 'cashout', amount: 3_000_000n, massMilli: 55_000 } as const;
    expect(await ports.settleEntry(lobby.id, entryId, outcome)).toEqual({
      amount: 3_000_000n,
      usdValue: 3_000_000n,
      isNew: true,
    });
    expect(await ports.settleEntry(lobby.id, entryId, outcome)).toMatchObject({
      amount: 3_000_000n,
      usdValue: 3_000_000n,
      isNew: false,
    });
    expect(await newestEntry(server.context, user)).toMatchObject({ state: 'ended', finalMassMilli: 55_000 });
    expect(await auditLedger(server.context.db)).toEqual({ lobbies: [], faults: [] });
  });

  test('never give out a free match that was being prepared when its lease was released', async () => {
    const { db } = server.context;
    const lobby = (await ports.listLobbies()).find(({ name }) => name === 'Petri Dish')!;
    await keepRoomsRunning(server.context);
    expect(await ports.takeLease(lobby.id)).toBe(true);
    expect(await ports.prepareMatch(lobby, standardRules)).toBeUndefined();
    const [first] = await soon(async () => {
      const isReady = and(isNotNull(matches.publicSlot), eq(matches.lobbyId, lobby.id));
      const ready = await db.select().from(matches).where(isReady);
      expect(ready).toHaveLength(1);
      return ready;
    });
    await ports.releaseLease(lobby.id);
    // Its secret becomes public.
    await recoverMatches(server.context);
    expect(await ports.takeLease(lobby.id)).toBe(true);
    const second = await soon(async () => {
      const prepared = await ports.prepareMatch(lobby, standardRules);
      expect(prepared).toBeDefined();
      return prepared!;
    });
    expect(second.id).not.toBe(first!.id);
    expect(await readSecrets(db, first!.id)).toBeUndefined();
    expect(await readSecrets(db, second.id)).toBeDefined();
  });

  test('let a process neither record, announce nor prepare a match in a lobby of another', async () => {
    const { context } = server;
    const lobby = (await ports.listLobbies()).find(({ name }) => name === 'The Deep')!;
    await keepRoomsRunning(context);
    expect(await ports.takeLease(lobby.id)).toBe(true);
    const { id } = await soon(async () => {
      const prepared = await ports.prepareMatch(lobby, standardRules);
      expect(prepared).toBeDefined();
      return prepared!;
    });
    const strangerId = randomUUID();
    const stranger = createGamePorts({ ...context, processId: strangerId }).ports;
    const live = { totalPlayers: 3, totalBots: 0, poolTotal: 5n, disconnected: [] };
    const ending = { id, lobbyId: lobby.id, finalTick: 0, spill: 0n };

    stranger.recordPart(id, 'header', Buffer.from('not the header of this match'));
    await expect(stranger.closeMatch(ending)).rejects.toThrow('no longer ours');
    expect(await context.storage.get(partKey(id, 0))).toBeUndefined();
    stranger.setLobbyLive(lobby.id, live);
    expect(await context.presence.read(lobby.id)).toBeUndefined();
    expect(await stranger.prepareMatch(lobby, standardRules)).toBeUndefined();

    ports.setLobbyLive(lobby.id, live);
    expect(await context.presence.read(lobby.id)).toMatchObject(live);
    ports.recordPart(id, 'header', Buffer.from('the header of this match'));
    await ports.closeMatch(ending);
    const [ended] = await context.db.select().from(matches).where(eq(matches.id, id));
    expect(ended).toMatchObject({ isCut: false, partCount: 2 });
    expect(await context.db.$count(matches, eq(matches.heldBy, strangerId))).toBe(0);
  });
});
