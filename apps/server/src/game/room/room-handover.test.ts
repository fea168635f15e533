import { matchId } from '@engulf/domain/ids/entity-ids';
import { createWorld } from '@engulf/sim/create-world';
import { epochAt } from '@engulf/sim/epochs';
import { replaySegment } from '@engulf/sim/recording/replay';
import { readSegment } from '@engulf/sim/recording/segment';
import { afterEach, expect, test, vi } from 'vitest';
import {
  type ArenaClient,
  closeCodeOf,
  enter,
  firstMessage,
  joinWithTicket,
  messagesOf,
  sendSpawn,
  spectate,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket, MATCH_KEY } from '../../../testing/game/memory-ports.ts';
import { paidLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { GameLobby, LeavingMatch, Seat } from '../ports.ts';

/** A match moves within one epoch and plays on in others. */
const RULES = { ...QUICK_RULES, departure: { graceSeconds: 10 }, epochs: { seconds: 2 } };
let server: ArenaServer;

afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

async function startWithTwo() {
  const lobby = paidLobby();
  server = await startArenaServer([lobby], RULES);
  const [first, second] = [await enter(server, lobby), await enter(server, lobby)];
  return { lobby, first, second };
}

/** Returns whether it is done. */
function leave(): () => boolean {
  let isDone = false;
  void server.game.leave().then(() => {
    isDone = true;
  });
  return () => isDone;
}

test('a match continues in another process with the same bodies, the same bounties and one recording', async () => {
  const { lobby, first, second } = await startWithTwo();
  const watcher = await spectate(server, lobby);
  first.client.send('movement', { x: 300, y: 0, seq: 7 });
  await server.play(1);
  const before = matchId((await firstMessage(server, first.client, 'welcome')).matchId);
  const { own } = first.client.decoder.view;
  server.ports.takersLeft = 1;
  const left = leave();
  for (const { client, seat } of [first, second, { client: watcher, seat: undefined }]) {
    const way = seat && { joinTicket: `to ${seat.entryId}`, baseGame: 'https://next.example' };
    expect(await firstMessage(server, client, 'matchMoved')).toEqual(way ?? {});
    expect(await closeCodeOf(server, client)).toBe(4000);
  }
  await server.until(() => server.ports.handedOver.length === 0);
  const { ticket } = issueTicket(server.ports, lobby, first.seat.entryId, first.seat.userId);
  const back = await joinWithTicket(server, lobby, ticket);
  const welcome = await firstMessage(server, back, 'welcome');
  expect(welcome).toMatchObject({ matchId: before, player: { id: own!.id, reward: '0.050(x1.00)' } });
  sendSpawn(back);
  await server.until(() => back.decoder.view.own !== undefined);

  // The other does not come back in time and forfeits; then the lobby ends with the process.
  await server.until(() => server.ports.settled.has(second.seat.entryId));
  expect(server.ports.settled.get(second.seat.entryId)).toMatchObject({ kind: 'forfeit' });
  await server.game.close();
  await server.until(left);
  expect(server.ports.settled.get(first.seat.entryId)).toMatchObject({ kind: 'closed', amount: 50_000_000n });
  expect(server.ports.matches.map(({ id }) => id)).toEqual([before]);
  const world = createWorld({ key: MATCH_KEY, rules: RULES, spill: 0n });
  for (const bytes of server.ports.recordings.get(before)!.segments) {
    const segment = readSegment(bytes);
    expect(segment.ok && replaySegment(world, segment.value)).toBeUndefined();
  }
  expect(world.clock.isEnded).toBe(true);
  expect(world.clock.tick).toBe(server.ports.matches[0]!.finalTick);
  expect(epochAt(RULES, world.clock.tick)).toBeGreaterThan(2);
});

test('a match that nobody takes plays on to the end of a last wave of portals', async () => {
  const { first } = await startWithTwo();
  const left = leave();
  await server.until(() =>
    messagesOf(first.client, 'liveUpdate')
      .flat()
      .some(({ type }) => type === 'lobby_closing'),
  );
  await server.until(() => expect(first.client.decoder.view.portalPhase).toBe('active'));
  expect(messagesOf(first.client, 'matchMoved')).toEqual([]);
  expect(server.ports.settled.size).toBe(0);
  await server.game.close();
  await server.until(left);
  expect(server.ports.settled.get(first.seat.entryId)).toMatchObject({ kind: 'closed' });
});

test('a player refused while a match moves keeps the ticket; a match that cannot be resumed is abandoned', async () => {
  const { lobby, first } = await startWithTwo();
  const { ticket } = issueTicket(server.ports, lobby);
  const { handOver } = server.ports;
  let release: (() => void) | undefined;
  server.ports.handOver = async (match: LeavingMatch) => {
    await new Promise<void>((resolve) => {
      release = resolve;
    });
    return handOver({ ...match, state: match.state.slice(1) });
  };
  server.ports.takersLeft = 1;
  const left = leave();
  await server.until(() => release !== undefined);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('LOBBY_OFFLINE');
  expect(server.ports.tickets.has(ticket)).toBe(true);
  release!();
  await firstMessage(server, first.client, 'matchMoved');
  await server.until(() => server.ports.abandoned.length === 1);
  await server.game.close();
  await server.until(left);
  expect(server.ports.settled.size).toBe(0);
});

/** Moves the match to a room of the same server. Resolves when the player has been told. */
async function moveOver(player: ArenaClient): Promise<void> {
  server.ports.takersLeft = 1;
  leave();
  await firstMessage(server, player, 'matchMoved');
}

async function comeBack(lobby: GameLobby, { entryId, userId }: Seat): Promise<ArenaClient> {
  return joinWithTicket(server, lobby, issueTicket(server.ports, lobby, entryId, userId).ticket);
}

test('returning players see the arena at once; it is paused until the others are back, or for a second', async () => {
  const { lobby, first } = await startWithTwo();
  await moveOver(first.client);
  await server.until(() => server.ports.handedOver.length === 0);
  await server.play(0.1);
  const back = await comeBack(lobby, first.seat);
  await server.until(() => back.decoder.view.own !== undefined);
  const { tick } = back.decoder.view;
  await server.play(0.4);
  expect([back.decoder.view.tick, back.stateTypes]).toEqual([tick, ['gameUpdate']]);
  await server.play(1);
  expect(back.decoder.view.tick).toBeGreaterThan(tick);
});

test('the pause does not wait for players who were gone before the match moved', async () => {
  const { lobby, first, second } = await startWithTwo();
  await second.client.leave();
  await server.play(0.2);
  await moveOver(first.client);
  await server.until(() => server.ports.handedOver.length === 0);
  await server.play(0.1);
  const back = await comeBack(lobby, first.seat);
  await server.until(() => back.decoder.view.own !== undefined);
  const { tick } = back.decoder.view;
  await server.play(0.4);
  expect(back.decoder.view.tick).toBeGreaterThan(tick + 5);
});

test('a player who arrives before the match waits for it', async () => {
  const { lobby, first } = await startWithTwo();
  const { takeOver } = server.ports;
  let isOnItsWay = true;
  server.ports.takeOver = async () => (isOnItsWay ? { matches: [], isNearby: true } : takeOver());
  await server.play(3);
  await moveOver(first.client);
  const coming = comeBack(lobby, first.seat);
  await server.play(0.3);
  isOnItsWay = false;
  await server.until(() => server.ports.handedOver.length === 0);
  let back: ArenaClient | undefined;
  coming.then((client) => {
    back = client;
  });
  await server.until(() => back?.decoder.view.own !== undefined);
});

test('while another process leaves, its matches are polled for between the checks', async () => {
  server = await startArenaServer([paidLobby()], RULES);
  const lookedAtMs: number[] = [];
  const looking = vi.spyOn(server.ports, 'takeOver').mockImplementation(async () => {
    lookedAtMs.push(server.clock.monotonicMs());
    return { matches: [], isNearby: true };
  });
  await server.play(8);
  looking.mockRestore();
  await server.play(1);
  const gapsMs = lookedAtMs.slice(1).map((atMs, nth) => atMs - lookedAtMs[nth]!);
  expect(lookedAtMs.length).toBeGreaterThan(20);
  expect(Math.max(...gapsMs)).toBeLessThanOrEqual(2 * ROOM_LIMITS.takeOverCheckMs);
});
