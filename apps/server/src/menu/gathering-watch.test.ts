import type { LobbyUpdate } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMenuServer } from '../../testing/menu-server.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { soon } from '../../testing/soon.ts';
import { gatherPlayers, leaveGathering } from '../entries/gather-players.ts';
import { lockLobby } from '../entries/seats.ts';
import { decideGathering } from '../gathering/decide-gathering.ts';

let menu: Awaited<ReturnType<typeof startMenuServer>>;
beforeAll(async () => {
  menu = await startMenuServer();
});
afterAll(() => menu.dispose());

function latest(socket: Socket): { state: string | undefined } {
  const heard: { state: string | undefined } = { state: undefined };
  socket.on('gathering', (sent: unknown) => {
    heard.state = MENU_SERVER_EVENTS.gathering.parse(sent).state;
  });
  return heard;
}

test('everybody sees who waits, and those who wait are told of their call and of its end', async () => {
  const { context, db } = menu;
  const lobby = await newPaidLobby(db);
  const live = { totalPlayers: 0, totalBots: 0, poolTotal: 0n, disconnected: [] };
  await context.presence.announce(lobby.id, live);
  const people = [
    await newUser(db, { isRaffleWinner: true }),
    await newUser(db, { isRaffleWinner: true }),
  ] as const;
  const sockets = await Promise.all(people.map((user) => menu.open({ user })));
  const heard = sockets.map(latest);
  const visitor = await menu.open();
  let shown: LobbyUpdate['gathering'];
  visitor.on('lobby_update', (sent: unknown) => {
    const update = MENU_SERVER_EVENTS.lobby_update.parse(sent);
    if (update.lobbyId === lobby.id) shown = update.gathering;
  });
  const refresh = () => context.presence.announce(lobby.id, live);
  const request = { lobbyId: lobby.id, lobbyCode: undefined };
  // A lobby that is silent for five seconds is offline, and opening the sockets may take as long.
  await refresh();
  expect(await gatherPlayers(context, people[0], request)).toMatchObject({ ok: true });
  await soon(async () => {
    await refresh();
    expect(heard).toEqual([{ state: 'waiting' }, { state: undefined }]);
    expect(shown).toEqual({
      count: 1,
      people: [{ name: people[0].name, avatarUrl: null }],
      isCalled: false,
    });
  });
  await refresh();
  expect(await gatherPlayers(context, people[1], request)).toMatchObject({ ok: true });
  await decideGathering(context, lobby.id, lockLobby);
  await soon(() => expect(heard).toEqual([{ state: 'called' }, { state: 'called' }]));
  await leaveGathering(context, people[1]);
  await soon(() => expect(heard).toEqual([{ state: 'called' }, { state: 'away' }]));
});
