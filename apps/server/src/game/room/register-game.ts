import { matchMaker } from '@colyseus/core';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import type { Game, GameDeps } from '../ports.ts';
import { arenaRoomOf } from './arena-room.ts';
import { createLobbyKeeper } from './lobby-keeper.ts';

/** Defines the game's room type and opens a room for every open lobby. Colyseus must have been set up before. */
export async function registerGame(deps: GameDeps): Promise<Game> {
  const keeper = createLobbyKeeper(deps);
  matchMaker.defineRoomType(ROOM_NAME, arenaRoomOf(keeper)).filterBy(['lobbyId']);
  await keeper.start();
  return keeper;
}
