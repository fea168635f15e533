// @vitest-environment happy-dom
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ArenaSession } from '../arena-visit.ts';
import { createHudStore } from '../hud/hud-store.ts';
import { enterRoom } from './game-room.ts';
import type { JoinRoom, RoomHandlers } from './room-client.ts';

const lobby = { id: 'lobby-1', baseGame: 'https://eu.example' } as Lobby;
const user = { id: 'user-1', name: 'MoonYolk' } as User;
const player: ArenaSession = { type: 'player', lobby, joinTicket: 'ticket', sessionId: 'session' };
const welcome = {
  player: null,
  worldSize: 7000,
  ticksPerSecond: 25,
  isFreeLobby: true,
  tokenSymbol: 'SOL',
} as const;

/** A room whose other end is the test. */
async function enter(session: ArenaSession = player, answer: 'joined' | 'refused' = 'joined') {
  const send = vi.fn();
  const leave = vi.fn();
  let handlers!: RoomHandlers;
  const joinRoom = vi.fn<JoinRoom>(async (_endpoint, _options, given) => {
    handlers = given;
    return answer === 'joined' ? ok({ send, leave }) : err(failure('LOBBY_FULL'));
  });
  const hud = createHudStore();
  const onState = vi.fn<(bytes: Uint8Array) => 'applied' | 'needsFull'>(() => 'applied');
  const onLeave = vi.fn();
  const onJoined = vi.fn();
  const screen = { widthPx: 1280, heightPx: 800 };
  const room = enterRoom({ session, user, hud, joinRoom, screen, onState, onJoined, onLeave });
  await vi.advanceTimersByTimeAsync(0);
  return { room, hud, handlers, send, leave, joinRoom, onState, onLeave, onJoined };
}

type Entered = Awaited<ReturnType<typeof enter>>;

/** Updates at the room's own pace. */
async function listen({ handlers }: Entered, forMs: number) {
  for (let passedMs = 0; passedMs < forMs; passedMs += 40) {
    handlers.onState(new Uint8Array(10));
    await vi.advanceTimersByTimeAsync(40);
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('joining', () => {
  test("goes to the lobby's own server with the ticket, and spawns when there is no body yet", async () => {
    const { joinRoom, handlers, send, onJoined } = await enter();
    expect(joinRoom.mock.calls[0]!.slice(0, 2)).toEqual([
      'https://eu.example',
      expect.objectContaining({ type: 'player', lobbyId: 'lobby-1', joinTicket: 'ticket' }),
    ]);
    expect(onJoined).toHaveBeenCalledOnce();
    handlers.onEvent({ type: 'welcome', payload: welcome });
    expect(send).toHaveBeenCalledWith('spawn', { name: 'MoonYolk', screenWidth: 1280, screenHeight: 800 });
  });

  test('a spectator brings no ticket and does not spawn', async () => {
    const { joinRoom, handlers, send } = await enter({ type: 'spectator', lobby });
    expect(joinRoom.mock.calls[0]![1]).not.toHaveProperty('joinTicket');
    handlers.onEvent({ type: 'welcome', payload: welcome });
    expect(send).not.toHaveBeenCalledWith('spawn', expect.anything());
  });

  test('a refusal is shown with its reason', async () => {
    const { hud, onJoined } = await enter(player, 'refused');
    expect(onJoined).not.toHaveBeenCalled();
    expect(hud.getState()).toMatchObject({ phase: 'failed', failure: { title: 'Lobby Full' } });
  });

  test('a room that is left before it answers is left when it does', async () => {
    const leave = vi.fn();
    const joinRoom: JoinRoom = async () => ok({ send: vi.fn(), leave });
    const hud = createHudStore();
    const rest = { onState: () => 'applied' as const, onJoined: vi.fn(), onLeave: vi.fn() };
    enterRoom({
      session: player,
      user,
      hud,
      joinRoom,
      screen: { widthPx: 1, heightPx: 1 },
      ...rest,
    }).dispose();
    await vi.advanceTimersByTimeAsync(0);
    expect(leave).toHaveBeenCalledOnce();
    expect(rest.onJoined).not.toHaveBeenCalled();
  });
});

describe('in the room', () => {
  test('a state that cannot be applied is asked for anew, once a second at most', async () => {
    const entered = await enter();
    entered.onState.mockReturnValue('needsFull');
    await listen(entered, 800);
    const asked = () => entered.send.mock.calls.filter(([type]) => type === 'fullUpdate').length;
    expect(asked()).toBe(1);
    await listen(entered, 400);
    expect(asked()).toBe(2);
  });

  test('pings measure the line', async () => {
    const entered = await enter();
    entered.send.mockImplementation((type: string, payload: { id: number }) => {
      if (type === 'ping') {
        setTimeout(() => entered.handlers.onEvent({ type: 'pong', payload: { id: payload.id } }), 80);
      }
    });
    await listen(entered, 12_000);
    const { averageRttMs } = entered.hud.getState().connection!;
    expect(averageRttMs).toBeGreaterThanOrEqual(80);
    expect(averageRttMs).toBeLessThan(90);
  });

  test('whoever is kicked is told why and goes', async () => {
    const { handlers, onLeave, leave } = await enter();
    handlers.onEvent({ type: 'kicked', payload: { reason: 'too fast' } });
    expect(leave).toHaveBeenCalled();
    expect(onLeave).toHaveBeenCalledWith(expect.objectContaining({ text: 'You have been kicked: too fast' }));
  });

  test('silence counts down, and updates call it off', async () => {
    const entered = await enter();
    await listen(entered, 6_000);
    await vi.advanceTimersByTimeAsync(1_400);
    expect(entered.hud.getState().countdown).toEqual({ kind: 'lost', secondsLeft: 8 });
    await listen(entered, 300);
    expect(entered.hud.getState().countdown).toBeUndefined();
    await vi.advanceTimersByTimeAsync(9_600);
    expect(entered.hud.getState()).toMatchObject({ end: { kind: 'disconnected' }, countdown: undefined });
    expect(entered.leave).toHaveBeenCalled();
  });

  test('silence after the end of the game is no loss', async () => {
    const entered = await enter();
    await listen(entered, 6_000);
    entered.handlers.onEvent({
      type: 'gameOver',
      payload: { stats: { reward: '0.1(x1.00)', finalMass: 40, usdValue: null }, cause: 'portal' },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    entered.handlers.onClosed(4000);
    expect(entered.hud.getState()).toMatchObject({ end: { kind: 'secured' }, countdown: undefined });
    expect(entered.onLeave).not.toHaveBeenCalled();
  });

  test('the close code for the menu leads to the menu', async () => {
    const { handlers, onLeave } = await enter();
    handlers.onDropped(1005);
    expect(onLeave).toHaveBeenCalledWith(undefined);
  });
});
