import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser, newestEntry, redeem } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { deriveKeys } from '../platform/purpose-keys.ts';
import { joinLobby } from './join-lobby.ts';
import { rejoinMatch } from './rejoin-match.ts';

let server: TestServer;
let context: Context;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
});
afterAll(() => server.dispose());

async function startPlaying() {
  const lobby = await server.lobby('Petri Dish');
  const user = await createUser(context, await server.newWallet({}));
  await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
  const joined = await joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: undefined });
  if (!joined.ok || joined.value.status !== 'ticketSent') throw new Error('no ticket');
  const playing = await redeem(context, joined.value.joinTicket, lobby);
  expect(playing.ok).toBe(true);
  return { lobby, user };
}

async function returnTicket(user: UserRow): Promise<string> {
  const answer = await rejoinMatch(context, user);
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value.joinTicket;
}

test('a player comes back into the same entry, once per ticket', async () => {
  const { lobby, user } = await startPlaying();
  const before = await newestEntry(context, user);
  server.advance(5_000);
  const ticket = await returnTicket(user);
  expect(await redeem(context, ticket, lobby)).toMatchObject({ ok: true, value: { id: before.id } });
  expect((await newestEntry(context, user)).startedAt).toEqual(before.startedAt);
  expect(await redeem(context, ticket, lobby)).toMatchObject({ ok: false });
});

test('only the newest ticket works, and not for ever', async () => {
  const { lobby, user } = await startPlaying();
  const first = await returnTicket(user);
  const second = await returnTicket(user);
  expect(await redeem(context, first, lobby)).toMatchObject({ ok: false });
  server.advance(61_000);
  expect(await redeem(context, second, lobby)).toMatchObject({ ok: false });
});

test('a body is not entered from a process that does not have it', async () => {
  const { lobby, user } = await startPlaying();
  const ticket = await returnTicket(user);
  expect(await redeem(server.afterRestart(), ticket, lobby)).toMatchObject({
    error: { code: 'JOIN_TICKET_INVALID' },
  });
});

test('a new secret voids the tickets of the old one, and the player gets another for the same entry', async () => {
  const lobby = await server.lobby('Petri Dish');
  const user = await createUser(context, await server.newWallet({}));
  await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
  const rotated = { ...context, keys: deriveKeys('the secret after the rotation, long enough') };
  const join = async (from: Context) => {
    const joined = await joinLobby(from, user, { lobbyId: lobby.id, lobbyCode: undefined });
    if (!joined.ok || joined.value.status !== 'ticketSent') throw new Error('no ticket');
    return joined.value.joinTicket;
  };
  const old = await join(context);
  const entry = await newestEntry(context, user);
  expect(await redeem(rotated, old, lobby)).toMatchObject({ error: { code: 'JOIN_TICKET_INVALID' } });
  const ticket = await join(rotated);
  expect(await redeem(context, ticket, lobby)).toMatchObject({ error: { code: 'JOIN_TICKET_INVALID' } });
  expect(await redeem(rotated, ticket, lobby)).toMatchObject({ ok: true, value: { id: entry.id } });
});

test('a user who is not playing gets no ticket back', async () => {
  const user = await createUser(context, await server.newWallet({}));
  expect(await rejoinMatch(context, user)).toMatchObject({ error: { code: 'SESSION_ENDED' } });
});
