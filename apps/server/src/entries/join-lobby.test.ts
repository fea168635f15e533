import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ask, createUser, expireAll, newestEntry, redeem } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { lobbies } from '../platform/database/games.ts';
import { users } from '../platform/database/people.ts';
import { type SwitchName, writeSwitch } from '../platform/switches.ts';
import { joinLobby } from './join-lobby.ts';
import { reportPaymentFailure } from './payment-status.ts';
import { rejoinMatch } from './rejoin-match.ts';
import { readSessionConflicts } from './session-warning.ts';
import { redeemTicket } from './tickets.ts';

let server: TestServer;
let context: Context;
let free: LobbyRow;
let paid: LobbyRow;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  free = await server.lobby('Primordial');
  paid = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

const newUser = async () => createUser(context, await server.newWallet({}));

async function ticketFor(user: Awaited<ReturnType<typeof newUser>>): Promise<string> {
  const answer = await ask(context, user, free);
  if (!answer.ok || answer.value.status !== 'ticketSent') throw new Error(JSON.stringify(answer));
  return answer.value.joinTicket;
}

describe('a ticket', () => {
  test('for a free lobby is issued at once and is worth the notional entry', async () => {
    const user = await newUser();
    const playing = await redeem(context, await ticketFor(user), free);
    expect(playing).toMatchObject({ ok: true, value: { state: 'playing', stake: 5_000_000n } });
  });

  test('is valid once, for its own lobby, for a minute and unaltered', async () => {
    const user = await newUser();
    const ticket = await ticketFor(user);
    const damaged = `${ticket.slice(0, -2)}${ticket.endsWith('AA') ? 'BB' : 'AA'}`;
    expect((await redeem(context, ticket, paid)).ok).toBe(false);
    expect((await redeem(context, damaged, free)).ok).toBe(false);
    const [first, second] = await Promise.all([redeem(context, ticket, free), redeem(context, ticket, free)]);
    expect([first.ok, second.ok].sort()).toEqual([false, true]);

    const late = await newUser();
    const lateTicket = await ticketFor(late);
    server.advance(61_000);
    expect((await redeem(context, lateTicket, free)).ok).toBe(false);
    await expireAll(context);
    expect(await newestEntry(context, late)).toMatchObject({ state: 'expired' });
  });

  test('is still valid if the room could not be told about its seat', async () => {
    const ticket = await ticketFor(await newUser());
    const breaking = redeemTicket(
      context,
      ticket,
      { lobbyId: free.id, matchId: undefined, isOurs: async () => true },
      () => Promise.reject(new Error('Connection terminated unexpectedly')),
    );
    await expect(breaking).rejects.toThrow('Connection');
    expect((await redeem(context, ticket, free)).ok).toBe(true);
  });

  test('is void once another window has asked for a newer one', async () => {
    const user = await newUser();
    const older = await ticketFor(user);
    const newer = await ticketFor(user);
    expect((await redeem(context, older, free)).ok).toBe(false);
    expect((await redeem(context, newer, free)).ok).toBe(true);
  });
});

describe('a seat', () => {
  test('is one per user: a second request is told why and for how long', async () => {
    onTestFinished(server.stopClock());
    const user = await newUser();
    await ask(context, user, paid);
    expect(await ask(context, user, paid)).toMatchObject({ ok: true, value: { status: 'created' } });
    expect(await ask(context, user, free)).toMatchObject({
      error: { code: 'EXISTING_SESSION_DETECTED', conflict: { isPaymentSession: false, sessionTTL: 120 } },
    });
    await reportPaymentFailure(context, user, paid.id);
    await redeem(context, await ticketFor(user), free);
    expect(await ask(context, user, free)).toMatchObject({
      error: { code: 'ACTIVE_SESSION_EXISTS', conflict: { isDisconnected: false } },
    });
  });

  test('whose player is no longer connected is not called a second session', async () => {
    const user = await newUser();
    await redeem(context, await ticketFor(user), free);
    const { id: sessionId } = await newestEntry(context, user);
    const figures = { totalPlayers: 1, totalBots: 0, poolTotal: 0n };
    await context.presence.announce(free.id, { ...figures, disconnected: [sessionId] });
    const refused = await joinLobby(context, user, { lobbyId: free.id, lobbyCode: undefined });
    const conflict = {
      sessionId,
      sessionStatus: 'playing',
      isDisconnected: true,
      message: 'Your match is still running, but no window is connected to it.',
    };
    expect(refused).toMatchObject({ error: { conflict } });
    expect(await readSessionConflicts(context, [user.id])).toMatchObject([conflict]);
  });

  test('whose player was thrown out is told so, and gets no ticket back into the match', async () => {
    const user = await newUser();
    await redeem(context, await ticketFor(user), free);
    const { id } = await newestEntry(context, user);
    const figures = { totalPlayers: 1, totalBots: 0, poolTotal: 0n, disconnected: [id] };
    await context.presence.announce(free.id, figures);
    expect(await rejoinMatch(context, user)).toMatchObject({ ok: true });
    await context.presence.announce(free.id, { ...figures, expelled: [id] });
    expect(await rejoinMatch(context, user)).toMatchObject({ error: { code: 'SESSION_ENDED' } });
    const refused = await joinLobby(context, user, { lobbyId: free.id, lobbyCode: undefined });
    const message = 'You were removed from your match, and cannot return to it.';
    expect(refused).toMatchObject({ error: { conflict: { message, isDisconnected: true } } });
  });

  test('is taken once by a user who clicks twice', async () => {
    const user = await newUser();
    const answers = await Promise.all([ask(context, user, paid), ask(context, user, paid)]);
    const ids = answers.map((answer) => answer.ok && answer.value.sessionId);
    expect(ids[0]).toBe(ids[1]);
  });

  test('in a free lobby is one of a few that an address may have there at a time', async () => {
    const from = async (address: string) => {
      await context.presence.announce(free.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
      const client = { address, limitScale: 1 };
      return joinLobby(context, await newUser(), { lobbyId: free.id, lobbyCode: undefined, client });
    };
    await context.db.update(lobbies).set({ maxPlayers: 100 }).where(eq(lobbies.id, free.id));
    for (let nth = 0; nth < 40; nth++) expect(await from('203.0.113.1')).toMatchObject({ ok: true });
    expect(await from('203.0.113.1')).toMatchObject({ error: { code: 'ADDRESS_SEATS_LIMIT' } });
    expect(await from('203.0.113.2')).toMatchObject({ ok: true });
    server.advance(61_000);
    await expireAll(context);
    expect(await from('203.0.113.1')).toMatchObject({ ok: true });
    await context.db.update(lobbies).set({ maxPlayers: free.maxPlayers }).where(eq(lobbies.id, free.id));
  });

  test('is held for the two minutes of its entry, but keeps newcomers out for 45 seconds only', async () => {
    onTestFinished(server.stopClock());
    const deep = await server.lobby('The Deep');
    await context.db.update(lobbies).set({ maxPlayers: 2 }).where(eq(lobbies.id, deep.id));
    const holders = [await newUser(), await newUser()];
    for (const user of holders) expect(await ask(context, user, deep)).toMatchObject({ ok: true });
    const next = await newUser();
    server.advance(44_999);
    expect(await ask(context, next, deep)).toMatchObject({ error: { code: 'LOBBY_FULL' } });
    server.advance(1);
    expect(await ask(context, next, deep)).toMatchObject({ ok: true });
    server.advance(74_999);
    await expireAll(context);
    expect(await newestEntry(context, holders[0]!)).toMatchObject({ state: 'created' });
    server.advance(1);
    await expireAll(context);
    expect(await newestEntry(context, holders[0]!)).toMatchObject({ state: 'expired' });
  });

  test('is never oversold when many ask at once', async () => {
    const deep = await server.lobby('The Deep');
    server.advance(200_000);
    await expireAll(context);
    const crowd = await Promise.all(Array.from({ length: 8 }, newUser));
    const answers = await Promise.all(crowd.map((user) => ask(context, user, deep)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(2);
  });

  test('needs access, an open and running lobby and the right lobby code', async () => {
    const user = await newUser();
    const circle = await server.lobby('Inner Circle');
    const join = (lobby: LobbyRow, lobbyCode?: string) =>
      joinLobby(context, user, { lobbyId: lobby.id, lobbyCode });
    expect(await join(await server.lobby('Gulp Tank'))).toMatchObject({ error: { code: 'LOBBY_OFFLINE' } });
    await context.presence.announce(circle.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    expect(await join(circle)).toMatchObject({ error: { code: 'INVALID_LOBBY_CODE' } });
    expect(await join(circle, 'WRONG')).toMatchObject({ error: { code: 'INVALID_LOBBY_CODE' } });
    expect(await join(circle, 'amoeba')).toMatchObject({ ok: true });
    await reportPaymentFailure(context, user, circle.id);
    await context.db.update(lobbies).set({ isLocked: true }).where(eq(lobbies.id, circle.id));
    expect(await join(circle, 'AMOEBA')).toMatchObject({ error: { code: 'LOBBY_CLOSED' } });
    await context.db.update(users).set({ referralCode: null }).where(eq(users.id, user.id));
    const [stranger] = await context.db.select().from(users).where(eq(users.id, user.id));
    expect(await ask(context, stranger!, paid)).toMatchObject({ error: { code: 'USER_NOT_ELIGIBLE' } });
  });
});

describe('what operators have switched', () => {
  const from = async (country: string | undefined, lobby: LobbyRow) => {
    const user = await newUser();
    await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    return joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: undefined, country });
  };
  const flip = async (name: SwitchName, value: unknown) => {
    await writeSwitch(context.db, name, value, context.nowMs());
    server.advance(2_000);
  };

  const block = (countries: string[]) => flip('blocked-countries', countries);

  test.each([
    ['upgrade-page', 'MAINTENANCE'],
    ['beta-closed', 'BETA_CLOSED'],
  ] as const)('%s keeps everyone out of all lobbies', async (name, code) => {
    await flip(name, true);
    expect(await from(undefined, free)).toMatchObject({ error: { code } });
    expect(await from(undefined, paid)).toMatchObject({ error: { code } });
    await flip(name, false);
    expect(await from(undefined, free)).toMatchObject({ ok: true });
  });

  test('a blocked country keeps people out of paid lobbies as long as it is blocked', async () => {
    expect(await from('DE', paid)).toMatchObject({ ok: true });
    await block(['DE', 'FR']);
    expect(await from('DE', paid)).toMatchObject({ error: { code: 'REGION_BLOCKED' } });
    expect(await from('IT', paid)).toMatchObject({ ok: true });
    expect(await from(undefined, paid)).toMatchObject({ ok: true });
    expect(await from('DE', free)).toMatchObject({ ok: true });
    await block([]);
    expect(await from('DE', paid)).toMatchObject({ ok: true });
  });

  test('a blocked country does not take away a seat that somebody already pays for', async () => {
    const user = await newUser();
    expect(await ask(context, user, paid)).toMatchObject({ ok: true });
    await block(['DE']);
    const again = { lobbyId: paid.id, lobbyCode: undefined, country: 'DE' };
    expect(await joinLobby(context, user, again)).toMatchObject({ ok: true, value: { status: 'created' } });
    await block([]);
  });
});
