import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { vi } from 'vitest';
import type { ArenaVisit } from '../features/arena/arena-visit.ts';
import { type ArenaEvent, createArenaEvents } from '../features/arena/net/events.ts';
import { enterRoom } from '../features/arena/net/game-room.ts';
import type { JoinRoom, RoomHandlers } from '../features/arena/net/room-link.ts';

export const lobby = { id: 'lobby-1', baseGame: 'https://eu.example', entryFee: '0' } as Lobby;
export const user = { id: 'user-1', name: 'MoonYolk' } as User;
export const screen = { widthPx: 1280, heightPx: 800 };
export const player = { type: 'player', lobby, joinTicket: 'ticket' } as const satisfies ArenaVisit;
export const welcome = {
  player: { id: 0, name: 'MoonYolk', x: 3_500, y: 3_500, massTotal: 0, reward: '', admin: false },
  matchId: 'match-1',
  commitment: '0'.repeat(64),
  worldSize: 7000,
  ticksPerSecond: 25,
  isFreeLobby: true,
  isTesting: false,
  tokenSymbol: 'SOL',
} as const;

export type JoinAnswer = 'joined' | 'LOBBY_FULL' | 'LOBBY_OFFLINE' | 'DISCONNECTED';

/** A room whose other end is the test. */
export async function enter(
  visit: ArenaVisit = player,
  answer: JoinAnswer = 'joined',
  gameUrl: string | null = null,
  canDraw: Promise<unknown> = Promise.resolve(),
) {
  const send = vi.fn();
  const renew = vi.fn();
  const leave = vi.fn();
  let handlers!: RoomHandlers;
  const joinRoom = vi.fn<JoinRoom>(async (_endpoint, _options, given) => {
    handlers = given;
    return answer === 'joined' ? ok({ send, renew, leave }) : err(failure(answer));
  });
  const events = createArenaEvents();
  const published: ArenaEvent[] = [];
  events.subscribe((event) => published.push(event));
  const last = <Type extends ArenaEvent['type']>(type: Type) =>
    published.findLast((event): event is Extract<ArenaEvent, { type: Type }> => event.type === type);
  const onState = vi.fn<(bytes: Uint8Array) => 'applied' | 'needsFull'>(() => 'applied');
  const findMatch = vi.fn<(visit: ArenaVisit) => Promise<ArenaVisit | undefined>>();
  const renewLobby = vi.fn((visit: ArenaVisit) => visit);
  const tabHiddenTimeoutMs = 10_000;
  const deps = {
    visit,
    findMatch,
    renewLobby,
    isFree: visit.lobby.entryFee === '0',
    user,
    gameUrl,
    tabHiddenTimeoutMs,
    events,
    joinRoom,
    screen,
    onState,
    canDraw,
  };
  const room = enterRoom(deps);
  await vi.advanceTimersByTimeAsync(0);
  return { room, findMatch, renewLobby, last, handlers, send, renew, leave, joinRoom, onState };
}
