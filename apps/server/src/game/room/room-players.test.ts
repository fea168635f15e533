import { RECORDING_VERSION } from '@engulf/sim/recording/frames';
import { readHeader } from '@engulf/sim/recording/header';
import { readSegment } from '@engulf/sim/recording/segment';
import { freeLobbyRules, standardRules } from '@engulf/sim/rules';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  enter,
  firstMessage,
  joinWithTicket,
  messagesOf,
  sendSpawn,
  spectate,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';

const free = freeLobby();
const paid = paidLobby();
const gallery = freeLobby();
const RULES = { ...QUICK_RULES, newcomers: freeLobbyRules.newcomers };
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([free, paid, gallery], RULES, { deps: { isTesting: true } });
});
afterAll(() => server.stop());

test('mass for a test is given in free lobbies, and never where money is at stake', async () => {
  const { client } = await enter(server, free);
  expect(messagesOf(client, 'welcome').at(-1)).toMatchObject({ isTesting: true });
  const { mass } = client.decoder.view.primary!;
  client.send('f4Testing');
  await server.until(() => expect(client.decoder.view.primary!.mass).toBeGreaterThan(mass + 990));

  const { client: payer } = await enter(server, paid);
  expect(messagesOf(payer, 'welcome').at(-1)).toMatchObject({ isTesting: false });
  payer.send('f4Testing');
  await server.play(0.5);
  expect(payer.decoder.view.primary!.mass).toBeCloseTo(mass, 0);
});

test('others see the picture of a player if it is one of ours, and who is an admin', async () => {
  const hash = 'c0ffee00'.repeat(8);
  const enterWith = async (change: { avatarUrl: string | null; isAdmin?: boolean }) => {
    const { ticket, seat } = issueTicket(server.ports, gallery);
    server.ports.tickets.set(ticket, { ...seat, ...change });
    const client = await joinWithTicket(server, gallery, ticket);
    sendSpawn(client);
    await server.until(() => client.decoder.view.own !== undefined);
    return { client, name: seat.name };
  };
  const admin = await enterWith({ avatarUrl: `/avatars/${hash}.png`, isAdmin: true });
  const foreign = await enterWith({ avatarUrl: `https://example.com/avatars/${hash}.png` });
  const plain = await enterWith({ avatarUrl: null });
  expect((await firstMessage(server, admin.client, 'welcome')).player).toMatchObject({ id: 0, admin: true });
  expect(messagesOf(admin.client, 'welcome').at(-1)!.player).toMatchObject({ admin: true });
  const { players } = (await spectate(server, gallery)).decoder.view;
  await server.until(() => {
    const seen = [...players.values()].map(({ name, picture, isAdmin }) => [name, picture, isAdmin]);
    expect(seen).toEqual(
      expect.arrayContaining([
        [admin.name, hash, true],
        [foreign.name, undefined, false],
        [plain.name, undefined, false],
      ]),
    );
  });
});

test('a newcomer is sheltered in a free lobby, and never where money is at stake', async () => {
  for (const lobby of [free, paid]) {
    const { ticket, seat } = issueTicket(server.ports, lobby);
    server.ports.tickets.set(ticket, { ...seat, isNewcomer: true });
    const client = await joinWithTicket(server, lobby, ticket);
    sendSpawn(client);
    await server.until(() => client.decoder.view.own !== undefined);
    const { matchId } = messagesOf(client, 'welcome').at(-1)!;
    await server.play(6);
    const { header, segments } = [...server.ports.recordings].find(([id]) => id === matchId)![1];
    const read = readHeader(header!, RECORDING_VERSION);
    const joins = segments.flatMap((bytes) => {
      const segment = readSegment(bytes);
      return segment.ok ? segment.value.commands.filter(({ command }) => command.type === 'join') : [];
    });
    expect(joins.some(({ command }) => 'isNewcomer' in command)).toBe(lobby.isFree);
    expect(read.ok && read.value.rules.newcomers).toEqual(
      lobby.isFree ? freeLobbyRules.newcomers : standardRules.newcomers,
    );
  }
});
