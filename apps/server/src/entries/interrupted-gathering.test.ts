import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { doDespiteKills } from '../../testing/mortal.ts';
import {
  expectBooksToMatchTheChain,
  payEverything,
  STAKE,
  settle,
  startPaidServer,
} from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  enter,
  expireTimedOut,
  keepRoomsRunning,
  lamportsOf,
  newestEntry,
  newPlayer,
  type Player,
  pay,
  takeBody,
  verifyAll,
} from '../../testing/players.ts';
import { decideGathering } from '../gathering/decide-gathering.ts';
import { noteSeen } from '../gathering/gatherers.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses } from '../platform/database/games.ts';
import { gatherers } from '../platform/database/gatherers.ts';
import { gatherPlayers } from './gather-players.ts';
import { recoverEntries } from './recover-entries.ts';
import { lockLobby } from './seats.ts';

const { server, context: first, lobby } = await startPaidServer();

const announce = (context: Context, totalPlayers = 0) =>
  context.presence.announce(lobby.id, { totalPlayers, totalBots: 0, poolTotal: 0n });
const decide = (context: Context) => decideGathering(context, lobby.id, lockLobby);
const gather = async (context: Context, { user }: Player) => {
  await announce(context);
  return gatherPlayers(context, user, { lobbyId: lobby.id, lobbyCode: undefined });
};
const rowOf = async ({ user }: Player) =>
  (await first.db.select().from(gatherers).where(eq(gatherers.userId, user.id)))[0]!;
const statesOf = (players: readonly Player[]) =>
  Promise.all(players.map(async (player) => (await newestEntry(first, player.user)).state));

test('a kill in the middle of a call costs nobody money, blame or the place in the line, and frees the seats', async () => {
  await keepRoomsRunning(first);
  const [playing, seated, paying, slow, idle] = [
    await newPlayer(server),
    await newPlayer(server),
    await newPlayer(server),
    await newPlayer(server),
    await newPlayer(server),
  ];
  const crowd = [playing, seated, paying, slow, idle];
  const before = await Promise.all(crowd.map(({ wallet }) => lamportsOf(first, wallet)));
  for (const player of crowd) await doDespiteKills(first, (mortal) => gather(mortal, player));
  await announce(first);
  await doDespiteKills(first, decide);
  const calls = await Promise.all(crowd.map(rowOf));
  expect(new Set(calls.map(({ callId }) => callId)).size).toBe(1);
  expect(calls.map(({ state }) => state)).toEqual(crowd.map(() => 'called'));

  await enter(first, playing.user, playing.wallet, lobby);
  await ask(first, seated.user, lobby);
  await confirm(first, seated.user, lobby, await pay(first, seated.wallet, lobby));
  await verifyAll(first);
  await ask(first, paying.user, lobby);
  await pay(first, paying.wallet, lobby);
  await ask(first, slow.user, lobby);

  // The process dies and comes back just after the time to pay is over.
  await first.db.delete(gameProcesses);
  server.advance(30_000);
  const second = server.afterRestart();
  expect(await recoverEntries(second)).toBe(1);
  await doDespiteKills(second, decide);
  const rows = await Promise.all(crowd.map(rowOf));
  expect(rows.map(({ state }) => state)).toEqual(['away', 'away', 'away', 'away', 'waiting']);
  expect(rows.every(({ misses, barredUntil }) => misses === 0 && barredUntil === null)).toBe(true);

  // The payment that nobody reported is found; the seat that nobody paid for is free again.
  await keepRoomsRunning(second);
  await reconcileLobby(second, lobby.id);
  expect(await statesOf([playing, seated, paying, slow])).toEqual([
    'ended',
    'ticketSent',
    'ticketSent',
    'created',
  ]);
  const entries = [await takeBody(second, seated.user, lobby), await takeBody(second, paying.user, lobby)];
  server.advance(120_000);
  await expireTimedOut(second);
  expect(await statesOf([slow])).toEqual(['expired']);

  // Whoever waited is called again with the next one who comes.
  await noteSeen(second.db, [idle.user.id], second.nowMs());
  const newcomer = await newPlayer(server);
  expect(await gather(second, newcomer)).toMatchObject({ ok: true });
  await decide(second);
  const again = [await rowOf(idle), await rowOf(newcomer)];
  expect(again.map(({ state }) => state)).toEqual(['called', 'called']);
  expect(await ask(second, idle.user, lobby)).toMatchObject({ ok: true });

  for (const entryId of entries) await settle(second, { entryId });
  await payEverything(second, lobby);
  const after = await Promise.all(crowd.map(({ wallet }) => lamportsOf(second, wallet)));
  const spent = before.map((lamports, index) => lamports - after[index]!);
  // What the chain keeps of an entry is its fee; the stake is back.
  const networkFee = 100_000n;
  const fee = 50_000_000n - STAKE;
  expect(spent.slice(3)).toEqual([0n, 0n]);
  for (const lamports of spent.slice(0, 3)) {
    expect(lamports).toBeGreaterThanOrEqual(fee);
    expect(lamports).toBeLessThan(fee + networkFee);
  }
  await expectBooksToMatchTheChain(second, lobby);
});
