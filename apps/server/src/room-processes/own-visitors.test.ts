import { type LobbyId, userId } from '@engulf/domain/ids/entity-ids';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { expect, test } from 'vitest';
import { createMemoryChat } from '../../testing/game/memory-chat.ts';
import { cookieOf, createMemoryPorts, issueTicket } from '../../testing/game/memory-ports.ts';
import { paidLobby } from '../../testing/game/test-lobbies.ts';
import { forOwnVisitors } from './own-visitors.ts';

const address = '192.0.2.7';

test('a room process writes only for people who came to it, in lobbies that it was given', async () => {
  const [own, foreign] = [paidLobby(), paidLobby()];
  const memory = createMemoryPorts([own, foreign]);
  memory.leasedElsewhere.add(foreign.id);
  const allChat = createMemoryChat();
  const { ports, chat } = forOwnVisitors(memory, allChat);
  await ports.takeLease(own.id);
  await ports.takeLease(foreign.id);
  const { ticket, seat } = issueTicket(memory, own);
  const player = { userId: seat.userId, address };
  await expect(chat.write(player, own.id, 'too early')).rejects.toThrow('not here');
  await ports.redeemTicket(ticket, own.id);
  const spectator = { userId: userId('user-99'), address };
  await ports.identify(cookieOf(spectator.userId));

  expect(await chat.write(player, own.id, 'hello')).toMatchObject({ ok: true });
  expect(await chat.write(spectator, own.id, 'hello')).toMatchObject({ ok: true });
  expect(await chat.whisper(player, 'hello')).toMatchObject({ ok: true });
  expect(allChat.lines).toHaveLength(2);

  const admin = { userId: userId('admin'), address };
  for (const [visitor, channel] of [
    [admin, own.id],
    [player, foreign.id],
    [player, GLOBAL_CHANNEL as LobbyId],
  ] as const) {
    await expect(chat.write(visitor, channel, '/announce send your SOL here')).rejects.toThrow('not here');
  }
  await expect(chat.whisper(admin, 'hello')).rejects.toThrow('not here');
  expect(allChat.lines).toHaveLength(2);
});

test('the players of a match that another process handed over have come to it', async () => {
  const lobby = paidLobby();
  const memory = createMemoryPorts([lobby]);
  const { ticket, seat } = issueTicket(memory, lobby);
  await memory.redeemTicket(ticket, lobby.id);
  memory.takersLeft = 1;
  const id = (await memory.prepareMatch(lobby, {} as never))!.id;
  await memory.handOver({ id, lobbyId: lobby.id, entryIds: [seat.entryId], state: new Uint8Array() });
  const { ports, chat } = forOwnVisitors(memory, createMemoryChat());
  await ports.takeOver();
  expect(await chat.write({ userId: seat.userId, address }, lobby.id, 'back')).toMatchObject({ ok: true });
});
