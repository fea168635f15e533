import { randomUUID } from 'node:crypto';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newSignedInUser, newUser } from '../../testing/new-user.ts';
import { keepRoomsRunning } from '../../testing/players.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { decideGathering } from '../gathering/decide-gathering.ts';
import { callOf, listGatherers, noteSeen } from '../gathering/gatherers.ts';
import { separate } from '../integrity/entry-rules.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { confirmPayment } from '../payments/confirm-payment.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, lobbyLeases } from '../platform/database/games.ts';
import { gatherers } from '../platform/database/gatherers.ts';
import { integrityCases, integrityLobbyRules } from '../platform/database/integrity.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { signInSessions, type UserRow, users } from '../platform/database/people.ts';
import { writeSwitch } from '../platform/switches.ts';
import { expireEntry, timedOutEntries } from './expire-entries.ts';
import { gatherPlayers, leaveGathering } from './gather-players.ts';
import { joinLobby } from './join-lobby.ts';
import { lockLobby } from './seats.ts';

let database: OpenDatabase;
let context: Context;
let nowMs = Date.UTC(2027, 0, 1);
let lobby: LobbyRow;
let addresses = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { nowMs: () => nowMs });
});
afterAll(() => database.close());
beforeEach(async () => {
  lobby = await newPaidLobby(database.db, { maxPlayers: 4 });
  await keepRoomsRunning(context);
  await announce(0);
});

const announce = (totalPlayers: number) =>
  context.presence.announce(lobby.id, { totalPlayers, totalBots: 0, poolTotal: 0n, disconnected: [] });
const newPlayer = () => newSignedInUser(context, { isRaffleWinner: true });
const nextClient = () => ({ address: `203.0.113.${addresses++}`, limitScale: 1 });
const gather = (user: UserRow, client = nextClient()) =>
  gatherPlayers(context, user, { lobbyId: lobby.id, lobbyCode: undefined, client });
const join = (user: UserRow) =>
  joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: undefined, client: nextClient() });
const decide = () => decideGathering(context, lobby.id, lockLobby);
const stateOf = async (user: UserRow) =>
  (await database.db.select().from(gatherers).where(eq(gatherers.userId, user.id)))[0]!;
const codeOf = (result: Awaited<ReturnType<typeof gather>> | Awaited<ReturnType<typeof join>>) =>
  result.ok ? 'ok' : result.error.code;
const noteAllSeen = async () =>
  noteSeen(
    database.db,
    (await listGatherers(database.db, nowMs)).map(({ userId }) => userId),
    nowMs,
  );

/** Two who gathered and were called. */
async function called(): Promise<[UserRow, UserRow]> {
  const pair: [UserRow, UserRow] = [await newPlayer(), await newPlayer()];
  for (const user of pair) expect(codeOf(await gather(user))).toBe('ok');
  await decide();
  return pair;
}

async function payFor(userId: UserId): Promise<void> {
  await database.db
    .update(entries)
    .set({ state: 'ticketSent', stake: 47n })
    .where(eq(entries.userId, userId));
}

async function pass(ms: number): Promise<void> {
  nowMs += ms;
  await announce(0);
}

test('one waits, two are called together, and who pays in time is due no penalty', async () => {
  const first = await newPlayer();
  await gather(first);
  await decide();
  expect(await stateOf(first)).toMatchObject({ state: 'waiting' });
  const second = await newPlayer();
  await gather(second);
  await decide();
  const [one, two] = [await stateOf(first), await stateOf(second)];
  expect(one).toMatchObject({ state: 'called', callSize: 2, callId: two.callId });
  expect(one.callEndsAt!.getTime() - nowMs).toBe(30_000);

  for (const user of [first, second]) expect(codeOf(await join(user))).toBe('ok');
  await payFor(first.id);
  const [entry] = await database.db.select().from(entries).where(eq(entries.userId, first.id));
  expect(await callOf(database.db, entry!)).toMatchObject({ callId: one.callId });
  await pass(30_000);
  await decide();
  expect(await stateOf(first)).toMatchObject({ state: 'away', misses: 0, barredUntil: null });
  // The seat of the other was taken and not paid for.
  expect(await stateOf(second)).toMatchObject({ state: 'away', misses: 1 });
});

test('a newcomer is called at once while somebody plays alone, and not needed once there are enough', async () => {
  await announce(1);
  const user = await newPlayer();
  await gather(user);
  await decide();
  expect(await stateOf(user)).toMatchObject({ state: 'called', callSize: 1 });
  await announce(2);
  expect(codeOf(await gather(await newPlayer()))).toBe('GATHERING_NOT_OFFERED');
});

test('whoever misses calls waits longer each time, and loses nothing else', async () => {
  const waits: number[] = [];
  const user = await newPlayer();
  for (let round = 0; round < 3; round++) {
    await gather(user);
    await gather(await newPlayer());
    await decide();
    await pass(31_000);
    await decide();
    expect(codeOf(await gather(user))).toBe('GATHERING_BARRED');
    const { barredUntil } = await stateOf(user);
    waits.push(barredUntil!.getTime() - nowMs);
    await pass(barredUntil!.getTime() - nowMs);
  }
  expect(waits).toEqual([30_000, 60_000, 120_000]);
  expect(codeOf(await join(user))).toBe('ok');
});

test('saying that one has paid is no payment: until it is found or not, nobody gathers anew', async () => {
  const [liar, honest] = await called();
  for (const user of [liar, honest]) {
    await join(user);
    expect((await confirmPayment(context, user, lobby.id, 'True')).ok).toBe(true);
  }
  await pass(31_000);
  await decide();
  for (const user of [liar, honest]) expect(codeOf(await gather(user))).toBe('GATHERING_BARRED');
  await leaveGathering(context, liar);
  await payFor(honest.id);
  await pass(120_000);
  for (const id of await timedOutEntries(context)) await expireEntry(context, id);
  await decide();
  expect(await stateOf(honest)).toMatchObject({ state: 'away', misses: 0, barredUntil: null });
  expect(await stateOf(liar)).toMatchObject({ state: 'away', misses: 1 });
  expect(codeOf(await gather(liar))).toBe('GATHERING_BARRED');
});

test('a payment that is not decided yet takes no call back that was made after it', async () => {
  const [slow] = await called();
  await join(slow);
  await confirmPayment(context, slow, lobby.id, 'True');
  await pass(31_000);
  await decide();
  const later = await called();
  await decide();
  for (const user of later) expect(await stateOf(user)).toMatchObject({ state: 'called', callSize: 2 });
});

test('leaving before the call is free, leaving after it is a missed call', async () => {
  const alone = await newPlayer();
  await gather(alone);
  await leaveGathering(context, alone);
  expect(codeOf(await gather(alone))).toBe('ok');
  await gather(await newPlayer());
  await decide();
  await leaveGathering(context, alone);
  expect(codeOf(await gather(alone))).toBe('GATHERING_BARRED');
});

test('a call that ran out while the server was away blames nobody', async () => {
  const [one] = await called();
  await pass(300_000);
  await decide();
  expect(await stateOf(one)).toMatchObject({ state: 'away', misses: 0 });
  expect(codeOf(await gather(one))).toBe('ok');
});

test('whoever leaves a call that the server has interrupted is not blamed', async () => {
  const [late, other] = await called();
  await pass(300_000);
  await leaveGathering(context, late);
  await decide();
  for (const user of [late, other])
    expect(await stateOf(user)).toMatchObject({ state: 'away', misses: 0, barredUntil: null });

  const [roomless] = await called();
  await database.db.delete(lobbyLeases).where(eq(lobbyLeases.lobbyId, lobby.id));
  await leaveGathering(context, roomless);
  expect(await stateOf(roomless)).toMatchObject({ state: 'away', misses: 0, barredUntil: null });
});

test('leaving when the time to pay has just run out is a missed call', async () => {
  const [one] = await called();
  await pass(31_000);
  await leaveGathering(context, one);
  expect(await stateOf(one)).toMatchObject({ state: 'away', misses: 1 });
});

test('a call that was made before the clock was set back holds no seats and blames nobody', async () => {
  const crowd = await Promise.all(Array.from({ length: 3 }, newPlayer));
  for (const user of crowd) await gather(user);
  await decide();
  await pass(-3_600_000);
  const strangers = await Promise.all(Array.from({ length: 4 }, newPlayer));
  for (const user of strangers) expect(codeOf(await join(user))).toBe('ok');
  await decide();
  expect(await stateOf(crowd[0]!)).toMatchObject({ state: 'away', misses: 0 });
  await pass(3_600_000);
});

test('a call is taken back while operators keep the lobby shut, and made again after that', async () => {
  const pair = await called();
  const states = () => Promise.all(pair.map(async (user) => (await stateOf(user)).state));
  await database.db.update(lobbies).set({ nextEntryFee: 99n }).where(eq(lobbies.id, lobby.id));
  await decide();
  await decide();
  expect(await states()).toEqual(['waiting', 'waiting']);
  await database.db.update(lobbies).set({ nextEntryFee: null }).where(eq(lobbies.id, lobby.id));
  await decide();
  expect(await states()).toEqual(['called', 'called']);
});

test.each(['paid-entries-paused', 'upgrade-page', 'beta-closed'] as const)(
  'nobody is called, and a call is taken back, while the switch %s lets nobody in',
  async (name) => {
    const turn = async (isOn: boolean) => {
      await writeSwitch(database.db, name, isOn || undefined, nowMs);
      await pass(2_000);
    };
    const pair = await called();
    const states = () => Promise.all(pair.map(async (user) => (await stateOf(user)).state));
    await turn(true);
    onTestFinished(() => turn(false));
    expect(codeOf(await join(pair[0]))).not.toBe('ok');
    await decide();
    await decide();
    expect(await states()).toEqual(['waiting', 'waiting']);
    await turn(false);
    await decide();
    expect(await states()).toEqual(['called', 'called']);
  },
);

test('whoever has paid may put the card away', async () => {
  const [one] = await called();
  await join(one);
  await payFor(one.id);
  await leaveGathering(context, one);
  expect(await stateOf(one)).toMatchObject({ state: 'away', misses: 0, barredUntil: null });
});

test('somebody whose menu is closed is not called', async () => {
  const gone = await newPlayer();
  await gather(gone);
  await pass(16_000);
  await gather(await newPlayer());
  await decide();
  expect(await stateOf(gone)).toMatchObject({ state: 'away', misses: 0 });
  await pass(10_000);
  await noteAllSeen();
  await pass(10_000);
  await gather(await newPlayer());
  await decide();
  const here = (await listGatherers(database.db, nowMs)).filter(({ lobbyId }) => lobbyId === lobby.id);
  expect(here.map(({ state }) => state)).toEqual(['called', 'called']);
});

test.each([
  [
    'is banned',
    (id: UserId) =>
      database.db
        .update(users)
        .set({ bannedAt: new Date(nowMs) })
        .where(eq(users.id, id)),
  ],
  ['has signed out', (id: UserId) => database.db.delete(signInSessions).where(eq(signInSessions.userId, id))],
])('whoever %s is not called and keeps nobody waiting, however long the menu stays open', async (_, lose) => {
  const gone = await newPlayer();
  await gather(gone);
  await lose(gone.id);
  await noteAllSeen();
  await gather(await newPlayer());
  await decide();
  expect(await stateOf(gone)).toMatchObject({ state: 'away', misses: 0 });
  const here = (await listGatherers(database.db, nowMs)).filter(({ lobbyId }) => lobbyId === lobby.id);
  expect(here.map(({ state }) => state)).toEqual(['waiting']);
});

test('nobody follows a call that was called off: who pays at once after it begins no truce', async () => {
  const [one] = await called();
  await database.db.update(lobbies).set({ nextEntryFee: 99n }).where(eq(lobbies.id, lobby.id));
  await decide();
  await database.db.update(lobbies).set({ nextEntryFee: null }).where(eq(lobbies.id, lobby.id));
  await pass(1_000);
  expect(codeOf(await join(one))).toBe('ok');
  const [entry] = await database.db.select().from(entries).where(eq(entries.userId, one.id));
  expect(await callOf(database.db, entry!)).toBeUndefined();
});

test('seats are held for those who are called, but half of the lobby never is, and not for long', async () => {
  const crowd = await Promise.all(Array.from({ length: 4 }, newPlayer));
  for (const user of crowd) await gather(user);
  await decide();
  const strangers = await Promise.all(Array.from({ length: 3 }, newPlayer));
  const codes: string[] = [];
  for (const user of strangers) codes.push(codeOf(await join(user)));
  expect(codes).toEqual(['ok', 'ok', 'LOBBY_FULL']);
  expect(codeOf(await join(crowd[0]!))).toBe('ok');
  await pass(30_000);
  expect(codeOf(await join(strangers[2]!))).toBe('ok');
});

test('an address has few places in the line, and an account one', async () => {
  const client = { address: '198.51.100.1', limitScale: 1 };
  const codes: string[] = [];
  for (let i = 0; i < 5; i++) codes.push(codeOf(await gather(await newPlayer(), client)));
  expect(codes).toEqual(['ok', 'ok', 'ok', 'ok', 'GATHERERS_LIMIT']);
  const user = await newPlayer();
  await gather(user);
  const here = lobby.id;
  lobby = await newPaidLobby(database.db);
  await announce(0);
  await gather(user);
  expect((await listGatherers(database.db, nowMs)).filter(({ userId }) => userId === user.id)).toMatchObject([
    { lobbyId: lobby.id },
  ]);
  expect(here).not.toBe(lobby.id);
});

test('who may not play may not gather', async () => {
  expect(codeOf(await gather(await newUser(database.db)))).toBe('USER_NOT_ELIGIBLE');
});

test('who could not take a seat when called may not gather', async () => {
  const aged = async (days: number) => {
    const createdAt = new Date(nowMs - days * 86_400_000);
    const isThis = eq(users.id, (await newPlayer()).id);
    return (await database.db.update(users).set({ createdAt }).where(isThis).returning())[0]!;
  };
  const [young, old] = [await aged(6), await aged(8)];
  await database.db.insert(integrityLobbyRules).values({ lobbyId: lobby.id, minAccountDays: 7 });
  expect([codeOf(await gather(young)), codeOf(await gather(old))]).toEqual(['ACCOUNT_TOO_NEW', 'ok']);
  await database.db.delete(integrityLobbyRules);

  const played = await newPlayer();
  await join(played);
  await database.db.update(entries).set({ state: 'ended' }).where(eq(entries.userId, played.id));
  await database.db.update(lobbies).set({ maxEntriesPerUser: 1 }).where(eq(lobbies.id, lobby.id));
  expect(codeOf(await gather(played))).toBe('ENTRY_LIMIT_REACHED');
});

test('two who are kept apart do not gather for one game, of which one would be shut out', async () => {
  const [one, two] = [await newPlayer(), await newPlayer()];
  const id = randomUUID();
  const openedAt = new Date(nowMs);
  const facts = { id, actor: one.id, partner: two.id, findings: [], pValue: 0, openedAt };
  await database.db.insert(integrityCases).values({ ...facts, state: 'acted' });
  await separate(database.db, [one.id, two.id], id, nowMs);
  expect([codeOf(await gather(one)), codeOf(await gather(two))]).toEqual(['ok', 'KEPT_APART']);
  await leaveGathering(context, one);
  expect(codeOf(await gather(two))).toBe('ok');
});

test('paying at once ends the wait', async () => {
  const user = await newPlayer();
  await gather(user);
  expect(codeOf(await join(user))).toBe('ok');
  expect(await stateOf(user)).toMatchObject({ state: 'away', misses: 0 });
});

test('two workers at the same moment call once', async () => {
  const pair = [await newPlayer(), await newPlayer()];
  for (const user of pair) await gather(user);
  await Promise.all([decide(), decide()]);
  const [one, two] = [await stateOf(pair[0]!), await stateOf(pair[1]!)];
  expect(one.callId).toBe(two.callId);
});
