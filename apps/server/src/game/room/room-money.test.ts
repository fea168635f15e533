import { replay } from '@engulf/sim/recording';
import { hashWorld } from '@engulf/sim/snapshot';
import { afterEach, describe, expect, test } from 'vitest';
import type { GameLobby } from '../ports.ts';
import { type ArenaClient, aimAt, enter, firstMessage, messagesOf } from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { paidLobby } from '../testing/test-lobbies.ts';

const STAKE = 50_000_000n;
let server: ArenaServer;
let lobby: GameLobby;

async function open(rules = QUICK_RULES): Promise<void> {
  lobby = paidLobby();
  server = await startArenaServer([lobby], rules);
}

afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

/** Collects whether the entry was already settled when its player got the game-over message. */
function watchGameOver(client: ArenaClient, entryId: Parameters<ArenaServer['ports']['settled']['has']>[0]) {
  const seen: boolean[] = [];
  client.room.onMessage('gameOver', () => seen.push(server.ports.settled.has(entryId)));
  return seen;
}

/** The prey splits first: its halves are small enough to be eaten by a whole cell. */
async function eat(eater: ArenaClient, prey: ArenaClient): Promise<void> {
  prey.room.send('split', { seq: 0 });
  await server.until(() => expect(prey.decoder.view.own!.cells).toHaveLength(2));
  await server.until(
    () => expect(messagesOf(prey, 'gameOver')).toHaveLength(1),
    () => aimAt(eater, prey.decoder.view.own?.cells[0]),
  );
}

/** Moves into a portal. */
async function cashOut(client: ArenaClient) {
  await server.until(
    () => expect(messagesOf(client, 'gameOver')).toHaveLength(1),
    () => aimAt(client, client.decoder.view.portals[0]),
  );
  return messagesOf(client, 'gameOver')[0];
}

describe('being eaten', () => {
  test('moves the bounty and settles the victim once, before telling them', async () => {
    await open();
    const [killer, victim] = [await enter(server, lobby), await enter(server, lobby)];
    const wasSettled = watchGameOver(victim.client, victim.seat.entryId);
    await eat(killer.client, victim.client);
    expect(wasSettled).toEqual([true]);
    expect(messagesOf(victim.client, 'gameOver')).toEqual([
      { cause: 'eaten', stats: { reward: '0.000(x0.00)', finalMass: 20, usdValue: null } },
    ]);
    expect(server.ports.settled.get(victim.seat.entryId)).toMatchObject({ kind: 'killed', amount: 0n });
    expect(server.ports.settleCalls.get(victim.seat.entryId)).toBe(1);
    expect(server.ports.balances.get(killer.seat.entryId)).toBe(2n * STAKE);
    // The same eater took both halves, so the kill is worth the whole stake.
    expect(await firstMessage(server, killer.client, 'KO')).toMatchObject({
      victim: victim.seat.name,
      killType: 'eaten',
      reward: '0.050(x1.00)',
    });
    expect(messagesOf(victim.client, 'liveUpdate')).toContainEqual(
      expect.objectContaining({ type: 'kill', killerName: killer.seat.name, victimName: victim.seat.name }),
    );
    await server.until(() => expect(killer.client.decoder.view.own!.reward).toBe('0.100(x2.00)'));
  });
});

describe('a portal', () => {
  const portals = { ...QUICK_RULES.portals, idleSeconds: 0.4, warningSeconds: 0.2, activeSeconds: 60 };

  test('pays the whole bounty, and tells the player once that is durable', async () => {
    await open({ ...QUICK_RULES, portals });
    const { client, seat } = await enter(server, lobby);
    const wasSettled = watchGameOver(client, seat.entryId);
    expect(await cashOut(client)).toEqual({
      cause: 'portal',
      stats: { reward: '0.050(x1.00)', finalMass: 40, usdValue: null },
    });
    expect(wasSettled).toEqual([true]);
    expect(server.ports.settled.get(seat.entryId)).toEqual({
      kind: 'cashout',
      amount: STAKE,
      massMilli: 40_000,
    });
    expect(messagesOf(client, 'liveUpdate')).toContainEqual(
      expect.objectContaining({ type: 'cashout', playerName: seat.name, amount: '0.050' }),
    );
  });

  test('pays even when the database fails for a moment', async () => {
    await open({ ...QUICK_RULES, portals });
    server.ports.failuresLeft = 2;
    const { client, seat } = await enter(server, lobby);
    await cashOut(client);
    expect(server.ports.failuresLeft).toBe(0);
    expect(server.ports.settleCalls.get(seat.entryId)).toBe(1);
    expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'cashout', amount: STAKE });
  });
});

describe('leaving', () => {
  test('refunds after the grace period, and shares the rest among those who stay', async () => {
    await open();
    const [stayer, leaver] = [await enter(server, lobby), await enter(server, lobby)];
    leaver.client.room.send('ejectMass', { seq: 0 });
    await server.until(() => expect(leaver.client.decoder.view.primary!.mass).toBeLessThan(30));
    await leaver.client.room.leave();
    expect(server.ports.settled.size).toBe(0);
    await server.until(() => expect(server.ports.settled.size).toBe(1));
    // 24 of mass 40 are left, so three fifths of the stake come back.
    expect(server.ports.settled.get(leaver.seat.entryId)).toMatchObject({
      kind: 'forfeit',
      amount: (STAKE * 24n) / 40n,
    });
    await server.until(() =>
      expect(server.ports.balances.get(stayer.seat.entryId)).toBe(STAKE + (STAKE * 16n) / 40n),
    );
    expect(messagesOf(stayer.client, 'playerDisconnect').map(({ name }) => name)).toEqual([leaver.seat.name]);
    expect(messagesOf(stayer.client, 'liveUpdate')).toContainEqual(
      expect.objectContaining({ type: 'disconnect', playerName: leaver.seat.name }),
    );
  });
});

test('a saved match replays to the same end', async () => {
  await open();
  const [one, two] = [await enter(server, lobby), await enter(server, lobby)];
  await eat(one.client, two.client);
  await server.game.close();
  const [match] = server.ports.matches;
  expect(match!.players.map(({ entryId }) => entryId)).toEqual([one.seat.entryId, two.seat.entryId]);
  const world = replay(match!.recording, match!.finalTick);
  expect(hashWorld(world)).toBe(match!.worldHash);
  expect(world.money.paidOut).toBe(2n * STAKE);
});
