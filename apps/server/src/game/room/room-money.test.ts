import { createWorld } from '@engulf/sim/create-world';
import { streamKeyOf } from '@engulf/sim/keys';
import { RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { readHeader } from '@engulf/sim/recording/header';
import { replaySegment } from '@engulf/sim/recording/replay';
import { readSegment } from '@engulf/sim/recording/segment';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type ArenaClient,
  aimAt,
  enter,
  feedOf,
  firstMessage,
  messagesOf,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { MATCH_KEY } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import type { GameLobby } from '../ports.ts';

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
  client.onMessage((type) => {
    if (type === 'gameOver') seen.push(server.ports.settled.has(entryId));
  });
  return seen;
}

/** The prey splits first: its halves are small enough to be eaten by a whole cell. */
async function eat(eater: ArenaClient, prey: ArenaClient): Promise<void> {
  prey.send('split', { seq: 0 });
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
      {
        cause: 'eaten',
        killer: killer.seat.name,
        stats: { reward: '0.000(x0.00)', finalMass: 20, usdValue: null },
      },
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
    await server.until(() =>
      expect(feedOf(victim.client)).toContainEqual(
        expect.objectContaining({ type: 'kill', killerName: killer.seat.name, victimName: victim.seat.name }),
      ),
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
      killer: null,
      stats: { reward: '0.050(x1.00)', finalMass: 40, usdValue: null },
    });
    expect(wasSettled).toEqual([true]);
    expect(server.ports.settled.get(seat.entryId)).toEqual({
      kind: 'cashout',
      amount: STAKE,
      massMilli: 40_000,
    });
    await server.until(() =>
      expect(feedOf(client)).toContainEqual(
        expect.objectContaining({ type: 'cashout', playerName: seat.name, amount: '0.050' }),
      ),
    );
  });

  test('is told with its worth in dollars where a price is known', async () => {
    await open({ ...QUICK_RULES, portals });
    server.ports.microUsdPerToken = 150_000_000n;
    const { client } = await enter(server, lobby);
    expect(await cashOut(client)).toMatchObject({ stats: { usdValue: '$7.50' } });
    await server.until(() =>
      expect(feedOf(client)).toContainEqual(
        expect.objectContaining({ type: 'cashout', amount: '0.050', usdValue: '$7.50' }),
      ),
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
    await open({ ...QUICK_RULES, spill: { leastLiving: 2, everySeconds: 0, part: 1, leastShare: 0 } });
    const [stayer, other] = [await enter(server, lobby), await enter(server, lobby)];
    const leaver = await enter(server, lobby);
    leaver.client.send('ejectMass', { seq: 0 });
    await server.until(() => expect(leaver.client.decoder.view.primary!.mass).toBeLessThan(30));
    await leaver.client.leave();
    expect(server.ports.settled.size).toBe(0);
    await server.until(() => expect(server.ports.settled.size).toBe(1));
    // 24 of mass 40 are left, so three fifths of the stake come back.
    expect(server.ports.settled.get(leaver.seat.entryId)).toMatchObject({
      kind: 'forfeit',
      amount: (STAKE * 24n) / 40n,
    });
    const shared = (STAKE * 16n) / 40n / 2n;
    await server.until(() => {
      for (const { seat } of [stayer, other])
        expect(server.ports.balances.get(seat.entryId)).toBe(STAKE + shared);
    });
    await server.until(() =>
      expect(messagesOf(stayer.client, 'playerDisconnect')).toMatchObject([{ name: leaver.seat.name }]),
    );
    await server.until(() =>
      expect(feedOf(stayer.client)).toContainEqual(
        expect.objectContaining({ type: 'disconnect', playerName: leaver.seat.name }),
      ),
    );
  });
});

test('the recording of a match replays to the same end and names the entries', async () => {
  await open();
  const [one, two] = [await enter(server, lobby), await enter(server, lobby)];
  await eat(one.client, two.client);
  await server.game.close();
  const [match] = server.ports.matches;
  const { header, segments } = server.ports.recordings.get(match!.id)!;
  const start = readHeader(header!, RECORDING_VERSION);
  if (!start.ok) throw new Error(start.error.problem);
  const world = createWorld({ key: MATCH_KEY, rules: start.value.rules, spill: start.value.spill });
  const entries: unknown[] = [];
  for (const bytes of segments) {
    const segment = readSegment(bytes);
    if (!segment.ok) throw new Error(segment.error.problem);
    for (const { command } of segment.value.commands)
      if (command.type === 'join') entries.push(command.entry);
    expect(replaySegment(world, segment.value)).toBeUndefined();
  }
  expect(entries).toEqual([one.seat.entryId, two.seat.entryId]);
  expect(world.clock.tick).toBe(match!.finalTick);
  expect(world.money.paidOut).toBe(2n * STAKE);
});

test('nothing that a client receives contains the key of the match', async () => {
  await open();
  const { client } = await enter(server, lobby);
  const states: Uint8Array[] = [];
  client.socket.on('message', (frame: ArrayBuffer) => states.push(new Uint8Array(frame)));
  client.send('fullUpdate');
  await server.play(1);
  const [key, next] = [0, 1].map((epoch) => Buffer.from(MATCH_KEY(epoch)));
  const welcome = messagesOf(client, 'welcome')[0]!;
  expect(welcome.commitment).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(client.received)).not.toContain(key!.toString('hex'));
  expect(states.length).toBeGreaterThan(3);
  const purposes = ['food', 'viruses', 'spawns', 'scatter', 'portals'];
  const keys = [key!, next!, ...purposes.map((purpose) => Buffer.from(streamKeyOf(key!, purpose)))];
  for (const bytes of states) {
    for (const secret of keys) expect(Buffer.from(bytes).includes(secret.subarray(0, 8))).toBe(false);
  }
});
