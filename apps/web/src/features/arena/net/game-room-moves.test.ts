// @vitest-environment happy-dom
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enter, lobby, player, welcome } from '../../../testing/entered-room.ts';
import type { ArenaVisit } from '../arena-visit.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const moved: ArenaVisit = {
  ...player,
  joinTicket: 'return',
  lobby: { ...lobby, baseGame: 'https://us.example' },
};

describe('a match that moves', () => {
  test('is followed to its new address as soon as it is known, and continues', async () => {
    const { handlers, findMatch, joinRoom, leave, last, send } = await enter();
    handlers.onMessage({ type: 'welcome', payload: welcome });
    findMatch.mockResolvedValueOnce(undefined).mockResolvedValue(moved);
    handlers.onMessage({ type: 'matchMoved', payload: {} });
    expect(leave).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(600);
    const [endpoint, options, there] = joinRoom.mock.calls[1]!;
    expect(endpoint).toBe('https://us.example');
    expect(options).toMatchObject({ type: 'player', joinTicket: 'return' });
    there.onMessage({ type: 'welcome', payload: welcome });
    expect(send).toHaveBeenLastCalledWith('spawn', expect.anything());
    for (let passedMs = 0; passedMs < 20_000; passedMs += 40) {
      there.onState(new Uint8Array(10));
      await vi.advanceTimersByTimeAsync(40);
    }
    expect(last('disconnected')).toBeUndefined();
    expect(last('countdown')?.countdown).toBeUndefined();
  });

  test('is followed without asking the server if the room announced its new address', async () => {
    const { handlers, findMatch, joinRoom, last, send, renew, leave } = await enter();
    handlers.onMessage({ type: 'welcome', payload: welcome });
    joinRoom.mockResolvedValueOnce(err(failure('LOBBY_OFFLINE')));
    joinRoom.mockImplementationOnce(async () => ok({ send, renew, leave }));
    handlers.onMessage({
      type: 'matchMoved',
      payload: { joinTicket: 'return', baseGame: 'https://us.example' },
    });
    await vi.advanceTimersByTimeAsync(600);
    expect(findMatch).not.toHaveBeenCalled();
    expect(joinRoom).toHaveBeenCalledTimes(3);
    const [endpoint, options] = joinRoom.mock.lastCall!;
    expect(endpoint).toBe('https://us.example');
    expect(options).toMatchObject({ joinTicket: 'return' });
    expect(last('left')).toBeUndefined();
  });

  test('is looked up if the announced address does not work', async () => {
    const { handlers, findMatch, joinRoom } = await enter();
    handlers.onMessage({ type: 'welcome', payload: welcome });
    joinRoom.mockResolvedValueOnce(err(failure('JOIN_TICKET_INVALID')));
    findMatch.mockResolvedValue(moved);
    handlers.onMessage({ type: 'matchMoved', payload: { joinTicket: 'void', baseGame: null } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(joinRoom.mock.lastCall![1]).toMatchObject({ joinTicket: 'return' });
  });

  test('that cannot be found ends like any lost connection', async () => {
    const { handlers, findMatch, last } = await enter();
    handlers.onMessage({ type: 'welcome', payload: welcome });
    findMatch.mockResolvedValue(undefined);
    handlers.onMessage({ type: 'matchMoved', payload: {} });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(last('disconnected') ?? last('left')).toBeDefined();
    expect(findMatch.mock.calls.length).toBeLessThanOrEqual(20);
  });
});

describe('a lobby that is offline when its player comes', () => {
  test('is joined once it is open again, where it is then', async () => {
    const { joinRoom, renewLobby, last, send, renew, leave } = await enter(player, 'LOBBY_OFFLINE');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(last('joinFailed')).toBeUndefined();
    renewLobby.mockReturnValue({ ...player, lobby: moved.lobby });
    joinRoom.mockImplementation(async () => ok({ send, renew, leave }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(last('joined')).toBeDefined();
    const [endpoint, options] = joinRoom.mock.lastCall!;
    expect(endpoint).toBe('https://us.example');
    expect(options).toMatchObject({ joinTicket: 'ticket' });
  });

  test('is reported if it stays offline', async () => {
    const { joinRoom, last } = await enter(player, 'LOBBY_OFFLINE');
    await vi.advanceTimersByTimeAsync(15_000);
    expect(last('joinFailed')).toMatchObject({ failure: { code: 'LOBBY_OFFLINE' } });
    expect(joinRoom).toHaveBeenCalledTimes(20);
  });

  test('is no longer asked by a page that has left', async () => {
    const { joinRoom, room, last } = await enter(player, 'LOBBY_OFFLINE');
    room.dispose();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(joinRoom.mock.calls.length).toBeLessThanOrEqual(2);
    expect(last('joinFailed')).toBeUndefined();
  });
});
