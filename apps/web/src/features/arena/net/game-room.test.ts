// @vitest-environment happy-dom
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enter, lobby, player, screen, user, welcome } from '../../../testing/entered-room.ts';
import type { ArenaVisit } from '../arena-visit.ts';
import { type ArenaEvent, createArenaEvents } from './events.ts';
import { enterRoom } from './game-room.ts';
import type { JoinRoom } from './room-link.ts';

type Entered = Awaited<ReturnType<typeof enter>>;

/** Receives updates at the room's pace. */
async function listen({ handlers }: Entered, forMs: number) {
  for (let passedMs = 0; passedMs < forMs; passedMs += 40) {
    handlers.onState(new Uint8Array(10));
    await vi.advanceTimersByTimeAsync(40);
  }
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('joining', () => {
  test("a player joins the lobby's own server with the ticket and spawns", async () => {
    const { joinRoom, handlers, send, last } = await enter();
    expect(joinRoom.mock.calls[0]!.slice(0, 2)).toEqual([
      'https://eu.example',
      expect.objectContaining({ type: 'player', lobbyId: 'lobby-1', joinTicket: 'ticket' }),
    ]);
    expect(last('joined')).toBeDefined();
    handlers.onMessage({ type: 'welcome', payload: welcome });
    expect(send).toHaveBeenCalledWith('spawn', { name: 'MoonYolk', screenWidth: 1280, screenHeight: 800 });
  });

  test('a player spawns when the arena can be drawn, and not before', async () => {
    const stage = Promise.withResolvers<void>();
    const { handlers, send } = await enter(player, 'joined', null, stage.promise);
    handlers.onMessage({ type: 'welcome', payload: welcome });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(send.mock.calls.filter(([type]) => type === 'spawn')).toEqual([]);
    stage.resolve();
    await vi.advanceTimersByTimeAsync(0);
    expect(send.mock.calls.filter(([type]) => type === 'spawn')).toHaveLength(1);
  });

  test('a player whose arena cannot be drawn never spawns', async () => {
    const { handlers, send } = await enter(player, 'joined', null, Promise.reject(new Error('no WebGL')));
    handlers.onMessage({ type: 'welcome', payload: welcome });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(send.mock.calls.filter(([type]) => type === 'spawn')).toEqual([]);
  });

  test('a spectator brings no ticket and does not spawn', async () => {
    const { joinRoom, handlers, send } = await enter({ type: 'spectator', lobby });
    expect(joinRoom.mock.calls[0]![1]).not.toHaveProperty('joinTicket');
    handlers.onMessage({ type: 'welcome', payload: welcome });
    expect(send).not.toHaveBeenCalledWith('spawn', expect.anything());
  });

  test('a refused join is published with its failure', async () => {
    const { last } = await enter(player, 'LOBBY_FULL');
    expect(last('joined')).toBeUndefined();
    expect(last('joinFailed')).toMatchObject({ failure: { code: 'LOBBY_FULL' } });
  });

  test('a join that finds no way is tried again', async () => {
    const { joinRoom, send, renew, leave, last } = await enter(player, 'DISCONNECTED');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(last('joinFailed')).toBeUndefined();
    joinRoom.mockImplementation(async () => ok({ send, renew, leave }));
    await vi.advanceTimersByTimeAsync(500);
    expect(joinRoom.mock.lastCall![1]).toMatchObject({ joinTicket: 'ticket' });
    expect(last('joined')).toBeDefined();
  });

  test('a join whose answer was lost after it had used up the ticket gets another one', async () => {
    const { joinRoom, findMatch, send, renew, leave, last } = await enter(player, 'DISCONNECTED');
    joinRoom.mockImplementation(async (_endpoint, options) =>
      'joinTicket' in options && options.joinTicket === 'return'
        ? ok({ send, renew, leave })
        : err(failure('JOIN_TICKET_INVALID')),
    );
    findMatch.mockResolvedValue({ ...player, joinTicket: 'return' });
    await vi.advanceTimersByTimeAsync(500);
    expect(last('joined')).toBeDefined();
  });

  test('a join that never finds a way is reported', async () => {
    const { last } = await enter(player, 'DISCONNECTED');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(last('joinFailed')).toMatchObject({ failure: { code: 'DISCONNECTED' } });
  });

  test('a join that takes too long leads back to the menu and says why', async () => {
    const { joinRoom, last } = await enter(player, 'DISCONNECTED');
    joinRoom.mockReturnValue(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(44_000);
    expect(last('left')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last('joinFailed')).toBeUndefined();
    expect(last('left')?.reason?.text).toBe('Connection timeout after 45 seconds - returning to home');
  });

  test.each([
    ['https://eu.example', 'https://game.example', 'https://eu.example'],
    ['http://localhost:3000', 'https://game.example', 'https://game.example'],
    [null, 'https://game.example', 'https://game.example'],
    ['http://127.0.0.1:3000', null, window.location.origin],
    [`${window.location.origin}/game/2`, 'https://game.example', `${window.location.origin}/game/2`],
    [null, null, window.location.origin],
  ])('a lobby at %s with the default %s is joined at %s', async (baseGame, gameUrl, endpoint) => {
    const { joinRoom } = await enter({ ...player, lobby: { ...lobby, baseGame } }, 'joined', gameUrl);
    expect(joinRoom.mock.calls[0]![0]).toBe(endpoint);
  });

  test('a player joins with all that a room may ask for', async () => {
    const { joinRoom } = await enter();
    expect(joinRoom.mock.calls[0]![1]).toMatchObject({
      type: 'player',
      playerName: 'MoonYolk',
      userId: 'user-1',
      playerId: 'user-1',
      lobbyId: 'lobby-1',
      joinTicket: 'ticket',
    });
  });

  test('a room disposed while joining is left as soon as the join succeeds', async () => {
    const leave = vi.fn();
    const joinRoom: JoinRoom = async () => ok({ send: vi.fn(), renew: vi.fn(), leave });
    const events = createArenaEvents();
    const listener = vi.fn();
    events.subscribe(listener);
    const canDraw = Promise.resolve();
    const onState = () => 'applied' as const;
    const findMatch = async () => undefined;
    const renewLobby = (visit: ArenaVisit) => visit;
    const deps = {
      user,
      gameUrl: null,
      tabHiddenTimeoutMs: 10_000,
      events,
      joinRoom,
      screen,
      onState,
      canDraw,
      findMatch,
      renewLobby,
      isFree: true,
    };
    enterRoom({ visit: player, ...deps }).dispose();
    await vi.advanceTimersByTimeAsync(0);
    expect(leave).toHaveBeenCalledOnce();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe('in the room', () => {
  test('a state that cannot be applied requests a snapshot, once a second at most', async () => {
    const entered = await enter();
    entered.onState.mockReturnValue('needsFull');
    await listen(entered, 800);
    const requests = () => entered.send.mock.calls.filter(([type]) => type === 'fullUpdate').length;
    expect(requests()).toBe(1);
    await listen(entered, 400);
    expect(requests()).toBe(2);
  });

  test('messages of the room are published, except for pongs', async () => {
    const { handlers, last } = await enter();
    const rank = { type: 'personalRank', payload: { rank: 3, reward: '0.1' } } as const;
    handlers.onMessage(rank);
    handlers.onMessage({ type: 'pong', payload: { id: 0 } });
    expect(last('personalRank')).toEqual(rank);
    expect(last('pong' as ArenaEvent['type'])).toBeUndefined();
  });

  test('pings measure the connection', async () => {
    const entered = await enter();
    entered.send.mockImplementation((type: string, payload: { id: number }) => {
      if (type !== 'ping') return;
      setTimeout(() => entered.handlers.onMessage({ type: 'pong', payload: { id: payload.id } }), 80);
    });
    await listen(entered, 12_000);
    const { averageRttMs, bytesPerSecond } = entered.last('connectionMeasured')!.metrics;
    expect(averageRttMs).toBeGreaterThanOrEqual(80);
    expect(averageRttMs).toBeLessThan(90);
    // Twenty-five states a second, of ten bytes each.
    expect(bytesPerSecond).toBeCloseTo(250, -1);
  });

  test('a kicked player leaves with the reason', async () => {
    const { handlers, last, leave } = await enter();
    handlers.onMessage({ type: 'kicked', payload: { reason: 'too fast' } });
    expect(leave).toHaveBeenCalled();
    expect(last('left')).toMatchObject({ reason: { text: 'You have been kicked: too fast' } });
  });

  test('a player thrown out by an admin leaves with the reason', async () => {
    const { handlers, last, leave } = await enter();
    handlers.onMessage({ type: 'kick', payload: { reason: 'spam' } });
    handlers.onMessage({ type: 'game_ended', payload: { message: 'kicked' } });
    expect(leave).toHaveBeenCalledOnce();
    expect(last('left')).toMatchObject({ reason: { text: 'Kicked from server: spam' } });
  });

  test('a session that has ended leads back to the menu', async () => {
    const { handlers, last } = await enter();
    handlers.onMessage({ type: 'game_ended', payload: { message: 'something else' } });
    expect(last('left')).toBeUndefined();
    handlers.onMessage({ type: 'game_ended', payload: { message: 'kicked' } });
    expect(last('left')).toMatchObject({ reason: { text: 'Your game session has ended' } });
  });

  test('silence starts a countdown, updates cancel it, and at zero the player is disconnected', async () => {
    const entered = await enter();
    await listen(entered, 6_000);
    await vi.advanceTimersByTimeAsync(1_400);
    expect(entered.last('countdown')!.countdown).toEqual({ kind: 'lost', secondsLeft: 8 });
    await listen(entered, 300);
    expect(entered.last('countdown')!.countdown).toBeUndefined();
    expect(entered.last('disconnected')).toBeUndefined();
    await vi.advanceTimersByTimeAsync(9_600);
    expect(entered.last('disconnected')).toBeDefined();
    expect(entered.leave).toHaveBeenCalled();
  });

  test('silence after the end of the game does not disconnect', async () => {
    const entered = await enter();
    await listen(entered, 6_000);
    entered.handlers.onMessage({
      type: 'gameOver',
      payload: {
        stats: { reward: '0.1(x1.00)', finalMass: 40, usdValue: null },
        cause: 'portal',
        killer: null,
      },
    });
    await vi.advanceTimersByTimeAsync(20_000);
    entered.handlers.onDropped(1005);
    entered.handlers.onClosed(4000);
    expect(entered.last('countdown')).toBeUndefined();
    expect(entered.last('disconnected')).toBeUndefined();
    expect(entered.last('left')).toBeUndefined();
  });

  test('close code 1005 leads back to the menu without a reason', async () => {
    const { handlers, last } = await enter();
    handlers.onDropped(1005);
    expect(last('left')).toEqual({ type: 'left', reason: undefined });
  });

  test('a spectator whose room closes is told so', async () => {
    const { handlers, last } = await enter({ type: 'spectator', lobby });
    handlers.onClosed(4000);
    expect(last('left')?.reason?.text).toBe('This lobby is closed at the moment.');
  });
});
