import { matchId } from '@engulf/domain/ids/entity-ids';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { replaySegment } from '@engulf/sim/recording/replay';
import { readSegment } from '@engulf/sim/recording/segment';
import { rulesOfLobby } from '@engulf/sim/rules';
import { afterEach, expect, test } from 'vitest';
import { enter, firstMessage, joinWithTicket } from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket, MATCH_KEY } from '../../../testing/game/memory-ports.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';
import type { GameLobby } from '../ports.ts';

const IDLE_SECONDS = 20;
const RULES = {
  ...QUICK_RULES,
  portals: { ...QUICK_RULES.portals, idleSeconds: IDLE_SECONDS },
  departure: { graceSeconds: 10 },
};
let server: ArenaServer;

afterEach(() => server.stop());

async function start(lobby: GameLobby) {
  server = await startArenaServer([lobby], RULES);
  server.ports.newestSlot = 5_000n;
  server.ports.beaconOf = (slot) => numberedKey(Number(slot));
  const { client, seat } = await enter(server, lobby);
  const id = matchId((await firstMessage(server, client, 'welcome')).matchId);
  return { client, seat, id };
}

/** Ends the match and plays its recording again. */
async function replay(lobby: GameLobby, id: ReturnType<typeof matchId>) {
  await server.game.close();
  const rules = rulesOfLobby(RULES, lobby);
  const world = createWorld({ key: MATCH_KEY, rules, spill: 0n });
  const named: string[] = [];
  for (const bytes of server.ports.recordings.get(id)!.segments) {
    const segment = readSegment(bytes);
    if (!segment.ok) throw new Error(segment.error.problem);
    expect(replaySegment(world, segment.value)).toBeUndefined();
    for (const { command } of segment.value.commands)
      if (command.type === 'pledge' || command.type === 'beacon') named.push(command.type);
  }
  return { named, wave: world.portals.wave, beacons: world.beacons };
}

test('a block is named as soon as somebody plays for money, and places the portals', async () => {
  const lobby = paidLobby();
  const { id } = await start(lobby);
  await server.play(IDLE_SECONDS + 1);
  expect(await replay(lobby, id)).toMatchObject({
    named: ['pledge', 'beacon'],
    wave: 1,
    beacons: { keyed: 1, missed: 0 },
  });
});

test('a match does not wait for a node: the wave opens without a block, and the recording shows it', async () => {
  const lobby = paidLobby();
  const { id } = await start(lobby);
  server.ports.findBeacon = () => new Promise(() => {});
  await server.play(IDLE_SECONDS + 1);
  expect(await replay(lobby, id)).toMatchObject({
    named: ['pledge'],
    wave: 1,
    beacons: { keyed: 0, missed: 1 },
  });
});

/** The slots that were named for the waves. */
async function namedSlots(id: ReturnType<typeof matchId>): Promise<bigint[]> {
  await server.game.close();
  return server.ports.recordings.get(id)!.segments.flatMap((bytes) => {
    const segment = readSegment(bytes);
    if (!segment.ok) throw new Error(segment.error.problem);
    return segment.value.commands.flatMap(({ command }) =>
      command.type === 'pledge' ? [command.decides] : [],
    );
  });
}

test('nodes that are behind the block of the match name nothing until they have caught up', async () => {
  const lobby = paidLobby();
  const lobbies: GameLobby[] = [];
  server = await startArenaServer(lobbies, RULES);
  Object.assign(server.ports, { originSlot: 7_000n, newestSlot: 5_000n });
  lobbies.push(lobby);
  await server.play(3);
  const { client } = await enter(server, lobby);
  const id = matchId((await firstMessage(server, client, 'welcome')).matchId);
  await server.play(3);
  server.ports.newestSlot = 7_001n;
  await server.play(3);
  const named = await namedSlots(id);
  expect(named).toHaveLength(1);
  expect(named[0]).toBeGreaterThan(7_001n);
});

test('nodes that fall behind do not name a wave before the last one, even after the match has moved', async () => {
  const lobby = paidLobby();
  const { client, seat, id } = await start(lobby);
  server.ports.newestSlot = 8_000n;
  server.ports.beaconOf = () => undefined;
  await server.play(4);
  server.ports.newestSlot = 5_000n;
  server.ports.takersLeft = 1;
  void server.game.leave();
  await firstMessage(server, client, 'matchMoved');
  await server.until(() => server.ports.handedOver.length === 0);
  await joinWithTicket(server, lobby, issueTicket(server.ports, lobby, seat.entryId, seat.userId).ticket);
  // The wave opens without a block, and the next one is due.
  await server.play(2 * IDLE_SECONDS + 10);
  server.ports.newestSlot = 9_000n;
  await server.play(2 * IDLE_SECONDS + 10);
  const [first, ...later] = await namedSlots(id);
  expect(first).toBeGreaterThan(8_000n);
  expect(later.length).toBeGreaterThan(0);
  expect(later.every((slot) => slot > 9_000n)).toBe(true);
});

test('a match that moves between the naming of a block and its wave takes the block in the other process', async () => {
  const lobby = paidLobby();
  const { client, seat, id } = await start(lobby);
  const { beaconOf } = server.ports;
  server.ports.beaconOf = () => undefined;
  await server.play(4);
  server.ports.takersLeft = 1;
  void server.game.leave();
  await firstMessage(server, client, 'matchMoved');
  await server.until(() => server.ports.handedOver.length === 0);
  await joinWithTicket(server, lobby, issueTicket(server.ports, lobby, seat.entryId, seat.userId).ticket);
  server.ports.beaconOf = beaconOf;
  // Only the block that was named counts.
  server.ports.newestSlot = 9_000n;
  await server.play(IDLE_SECONDS - 2);
  expect(await replay(lobby, id)).toMatchObject({
    named: ['pledge', 'beacon'],
    wave: 1,
    beacons: { keyed: 1, missed: 0 },
  });
});

test('no block is asked for where no money is at stake', async () => {
  const lobby = freeLobby();
  const { id } = await start(lobby);
  server.ports.readNewestSlot = () => Promise.reject(new Error('It was asked'));
  await server.play(IDLE_SECONDS + 1);
  expect(await replay(lobby, id)).toMatchObject({ named: [], beacons: { keyed: 0, missed: 0 } });
});
