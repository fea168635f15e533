import { failure } from '@engulf/domain/errors/registry';
import { ROOM_CHAT_CLIENT_MESSAGES } from '@engulf/protocol/room/chat-messages';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ArenaClient,
  closeCodeOf,
  dropConnection,
  enter,
  firstMessage,
  joinWithTicket,
  messagesOf,
  resume,
  spectate,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { cookieOf, issueTicket } from '../../../testing/game/memory-ports.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';

const lobby = paidLobby();
const other = freeLobby();
let server: ArenaServer;

beforeEach(async () => {
  server = await startArenaServer([lobby, other], QUICK_RULES);
});
afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

const textsOf = (client: ArenaClient) => messagesOf(client, 'chatMessage').map(({ message }) => message);
const errorsOf = (client: ArenaClient) => messagesOf(client, 'chatError').map(({ error }) => error);

describe('an emote', () => {
  const emotesOf = (client: ArenaClient) => messagesOf(client, 'emote');

  test('reaches everybody in the room, and no more of them than its limit', async () => {
    const [{ client: ann, seat }, { client: bob }] = [await enter(server, lobby), await enter(server, lobby)];
    for (let nth = 0; nth < 6; nth++) ann.send('emote', { emote: 5 });
    await server.until(() => expect(emotesOf(bob)).toHaveLength(4));
    expect(emotesOf(bob)[0]).toEqual({ name: seat.name, emote: 5 });
    expect(emotesOf(ann)).toHaveLength(4);
  });

  test('is refused to who may not write, and to spectators', async () => {
    const [{ client: ann }, { client: bob }] = [await enter(server, lobby), await enter(server, lobby)];
    const watcher = await spectate(server, lobby);
    server.chat.refusal = failure('CHAT_MUTED', { minutes: 3 });
    ann.send('emote', { emote: 0 });
    watcher.send('emote', { emote: 0 });
    await server.until(() => expect(errorsOf(ann)[0]).toContain('You can write again in 3 minutes'));
    await server.until(() => expect(errorsOf(watcher)).toHaveLength(1));
    expect(emotesOf(bob)).toEqual([]);
  });
});

describe('a line', () => {
  test('reaches players and spectators of its lobby only, in the order of writing', async () => {
    const [{ client: ann, seat }, { client: bob }] = [await enter(server, lobby), await enter(server, lobby)];
    const [watcher, { client: elsewhere }] = [await spectate(server, lobby), await enter(server, other)];
    for (const message of ['one', 'two', 'three']) ann.send('chat', { sender: 'somebody', message });
    for (const client of [ann, bob, watcher]) {
      await server.until(() => expect(textsOf(client)).toEqual(['one', 'two', 'three']));
    }
    expect(messagesOf(bob, 'chatMessage')[0]).toMatchObject({ user_id: seat.userId, type: 'player' });
    expect(server.chat.visitors[0]).toEqual({ userId: seat.userId, address: '127.0.0.1' });
    expect(textsOf(elsewhere)).toEqual([]);
  });

  test('that is refused is explained to its author alone', async () => {
    const [{ client: ann }, { client: bob }] = [await enter(server, lobby), await enter(server, lobby)];
    server.chat.refusal = failure('CHAT_MUTED', { minutes: 3 });
    ann.send('chat', { message: 'hi' });
    ann.send('privateMessage', { to: 'bob', message: 'hi' });
    const muted = 'You were kicked. You can write again in 3 minutes';
    await server.until(() => expect(errorsOf(ann)).toEqual([muted, muted]));
    expect(bob.received.some(({ type }) => type === 'chatError' || type === 'chatMessage')).toBe(false);
  });

  test('without any text is ignored, one of any other length is answered', async () => {
    const { client } = await enter(server, lobby);
    server.chat.refusal = failure('CHAT_EMPTY');
    client.send('chat', { message: ' ' });
    await server.play(0.5);
    expect(errorsOf(client)).toEqual([]);
    server.chat.refusal = failure('CHAT_TOO_LONG', { maxLength: 200 });
    client.send('chat', { message: 'x'.repeat(1_000) });
    await server.until(() => expect(errorsOf(client)).toEqual(['A message has at most 200 characters']));
  });

  test('is refused if too many wait for a hanging database; the match continues', async () => {
    const { client } = await enter(server, lobby);
    server.chat.isStuck = true;
    for (let nth = 0; nth < 6; nth++) client.send('chat', { message: `line ${nth}` });
    const { tick } = client.decoder.view;
    await server.until(() => expect(client.decoder.view.tick).toBeGreaterThan(tick + 25));
    expect(errorsOf(client)).toEqual(Array(2).fill('Rate limit exceeded. Try again later.'));
    server.chat.isStuck = false;
    await server.until(() => expect(textsOf(client)).toEqual(['line 0', 'line 1', 'line 2', 'line 3']));
  });

  test('that the database loses is reported as not sent', async () => {
    const { client } = await enter(server, lobby);
    server.chat.isBroken = true;
    client.send('chat', { message: 'hi' });
    expect(await firstMessage(server, client, 'chatError')).toEqual({ error: 'Unable to send' });
    expect(client.closeCode).toBeUndefined();
  });
});

describe('a private message', () => {
  test('is seen by its two ends and by nobody else', async () => {
    const [{ client: ann, seat: annSeat }, { client: bob, seat }] = [
      await enter(server, lobby),
      await enter(server, lobby),
    ];
    const [{ client: third }, watcher] = [await enter(server, lobby), await spectate(server, lobby)];
    ann.send('privateMessage', { to: seat.name.toUpperCase(), message: 'behind you' });
    const line = { sender: annSeat.name, to: seat.name, message: 'behind you', type: 'private' };
    for (const client of [ann, bob]) {
      expect(await firstMessage(server, client, 'privateMessage')).toMatchObject(line);
    }
    await server.play(0.5);
    for (const client of [third, watcher]) expect(messagesOf(client, 'privateMessage')).toEqual([]);
    expect(server.chat.lines).toEqual([]);
  });

  test('is any line that begins with @name, whatever message it was sent in', async () => {
    const [{ client: ann }, { client: bob, seat }] = [await enter(server, lobby), await enter(server, lobby)];
    ann.send('chat', { message: ` @${seat.name} behind you ` });
    expect(await firstMessage(server, bob, 'privateMessage')).toMatchObject({ message: 'behind you' });
    ann.send('chat', { message: '@nobody' });
    expect(await firstMessage(server, ann, 'chatError')).toEqual({
      error: 'Private message format: @username message',
    });
    expect(server.chat.lines).toEqual([]);
  });

  test('to oneself arrives once', async () => {
    const { client, seat } = await enter(server, lobby);
    client.send('privateMessage', { to: seat.name, message: 'note' });
    await firstMessage(server, client, 'privateMessage');
    await server.play(0.5);
    expect(messagesOf(client, 'privateMessage')).toHaveLength(1);
  });

  test('to somebody who is not there is refused, also after they have left', async () => {
    const [{ client: ann }, { client: bob, seat }] = [await enter(server, lobby), await enter(server, lobby)];
    const { seat: elsewhere } = await enter(server, other);
    await bob.leave();
    await server.play(0.2);
    const absent = ['nobody', elsewhere.name, seat.name, '__proto__', ''];
    for (const to of absent) {
      ann.send('privateMessage', { to, message: 'hi' });
      await server.play(0.2);
    }
    expect(errorsOf(ann)).toEqual(absent.map((name) => `There is no player called ${name} here`));
  });
});

test('spectators read, but write nothing; their commands are refused like those of players', async () => {
  const [{ client: player }, watcher] = [await enter(server, lobby), await spectate(server, lobby)];
  player.send('chat', { message: 'hi' });
  await server.until(() => expect(textsOf(watcher)).toEqual(['hi']));
  watcher.send('chat', { message: 'look left' });
  watcher.send('privateMessage', { to: 'player', message: 'look left' });
  for (const client of [watcher, player]) {
    client.send('admin', { command: 'kick', args: ['player'] });
    const error = 'Only admins can use commands';
    await server.until(() => expect(messagesOf(client, 'chatError')).toContainEqual({ error }));
  }
  expect(messagesOf(watcher, 'chatError')).toHaveLength(3);
  expect(textsOf(player)).toEqual(['hi']);
  watcher.send('requestChatHistory');
  expect((await firstMessage(server, watcher, 'chatHistory')).messages).toHaveLength(1);
});

test('after a removal everyone gets the history again, and is told if nothing is left', async () => {
  const { client } = await enter(server, lobby);
  client.send('chat', { message: 'bad words' });
  await server.until(() => expect(textsOf(client)).toHaveLength(1));
  server.chat.clear(lobby.id);
  expect(await firstMessage(server, client, 'chatHistory')).toEqual({ messages: [] });
  expect(await firstMessage(server, client, 'serverMessage')).toEqual({
    message: 'An admin has cleared the chat.',
  });
});

describe('a player whom an admin throws out', () => {
  test('is told why, forfeits after the grace period, and cannot come back into the entry', async () => {
    const { client, seat } = await enter(server, lobby);
    const { client: bystander } = await enter(server, lobby);
    server.chat.kick(seat.userId);
    expect(await firstMessage(server, client, 'kick')).toEqual({ reason: 'removed by an admin' });
    expect(await firstMessage(server, client, 'game_ended')).toEqual({ message: 'kicked' });
    expect(await closeCodeOf(server, client)).toBe(4002);
    const expelled = () => server.ports.live.get(lobby.id)!.expelled;
    await server.until(() => expect(expelled()).toEqual([seat.entryId]));
    const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
    await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('SESSION_ENDED');
    await server.until(() => server.ports.settled.has(seat.entryId));
    expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'forfeit', amount: seat.stake });
    await server.until(() => expect(expelled()).toBeUndefined());
    expect(bystander.closeCode).toBeUndefined();
  });

  test('is treated the same when banned while playing', async () => {
    const { client, seat } = await enter(server, lobby);
    const { client: bystander } = await enter(server, lobby);
    server.ports.banned.add(seat.userId);
    expect(await firstMessage(server, client, 'kick')).toEqual({ reason: 'this account is banned' });
    expect(await firstMessage(server, client, 'game_ended')).toEqual({ message: 'kicked' });
    expect(await closeCodeOf(server, client)).toBe(4002);
    await server.until(() => server.ports.settled.has(seat.entryId));
    expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'forfeit', amount: seat.stake });
    expect(bystander.closeCode).toBeUndefined();
  });

  test('cannot reconnect if the line was down at that moment', async () => {
    const { client, seat } = await enter(server, lobby);
    const token = await dropConnection(client);
    await server.play(0.2);
    server.chat.kick(seat.userId);
    await expect(resume(server, token)).rejects.toThrow('SESSION_ENDED');
    await server.until(() => server.ports.settled.has(seat.entryId));
    expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'forfeit' });
  });

  test('may enter again with a new entry; a spectator is sent away, too', async () => {
    const { seat } = await enter(server, lobby);
    const watcher = await spectate(server, other, cookieOf(seat.userId));
    server.chat.kick(seat.userId);
    expect(await closeCodeOf(server, watcher)).toBe(4002);
    const { ticket } = issueTicket(server.ports, lobby, undefined, seat.userId);
    const again = await joinWithTicket(server, lobby, ticket);
    await firstMessage(server, again, 'welcome');
  });
});

describe('hostile input', () => {
  test('a flood of lines gets its author kicked; the others read only what the limit let through', async () => {
    const [{ client: flooder }, { client: reader }] = [
      await enter(server, lobby),
      await enter(server, lobby),
    ];
    const { burst } = ROOM_CHAT_CLIENT_MESSAGES.chat.limit;
    for (let nth = 0; nth < 230; nth++) flooder.send('chat', { message: `line ${nth}` });
    expect(await firstMessage(server, flooder, 'kicked')).toEqual({ reason: 'Too many messages' });
    await server.play(0.5);
    expect(textsOf(reader).length).toBeLessThanOrEqual(burst);
    expect(reader.closeCode).toBeUndefined();
  });

  test('malformed messages are dropped, whatever they hold', async () => {
    const { client: reader } = await enter(server, lobby);
    const types = Object.keys(ROOM_CHAT_CLIENT_MESSAGES) as (keyof typeof ROOM_CHAT_CLIENT_MESSAGES)[];
    const hostile = fc.oneof(
      fc.anything({ maxDepth: 2, withBigInt: false }),
      fc.record({ message: fc.anything({ maxDepth: 1 }), to: fc.string(), extra: fc.string() }),
      fc.record({ command: fc.anything({ maxDepth: 1 }), args: fc.anything({ maxDepth: 1 }) }),
      fc.record({ message: fc.string({ minLength: 401, maxLength: 500 }) }),
    );
    for (const payload of fc.sample(hostile, { numRuns: 60, seed: 7 })) {
      const { client } = await enter(server, lobby);
      for (const type of types) {
        const json = Buffer.from(JSON.stringify(payload) ?? '');
        client.socket.send(Buffer.concat([Buffer.of(ROOM_CHAT_CLIENT_MESSAGES[type].number), json]));
      }
      client.send('ping', { id: 1, timestamp: 1, data: 'x'.repeat(100) });
      await server.until(() => messagesOf(client, 'pong').length > 0 || client.closeCode !== undefined);
      if (client.closeCode === undefined) await client.leave();
    }
    expect(reader.closeCode).toBeUndefined();
    for (const { message } of messagesOf(reader, 'chatMessage')) expect(typeof message).toBe('string');
    reader.send('chat', { message: 'still here' });
    await server.until(() => expect(textsOf(reader).at(-1)).toBe('still here'));
  });
});
