// @vitest-environment happy-dom
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { enter, lobby, player } from '../../../testing/entered-room.ts';
import type { ArenaVisit } from '../arena-visit.ts';
import type { RoomHandlers, RoomLink } from './room-link.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Entered = Awaited<ReturnType<typeof enter>>;

const returning: ArenaVisit = { ...player, joinTicket: 'return' };
const kicked = { type: 'kicked', payload: { reason: 'You joined from somewhere else' } } as const;

async function listen(handlers: RoomHandlers, forMs: number) {
  for (let passedMs = 0; passedMs < forMs; passedMs += 40) {
    handlers.onState(new Uint8Array(10));
    await vi.advanceTimersByTimeAsync(40);
  }
}

/** A room whose states have come for a while, and the way back to it. */
async function play(visit: ArenaVisit = player) {
  const entered = await enter(visit);
  await listen(entered.handlers, 6_000);
  entered.findMatch.mockResolvedValue(visit.type === 'player' ? returning : visit);
  return entered;
}

/** Answers the next join only when told to. */
function holdJoin({ joinRoom }: Entered) {
  const link = { send: vi.fn(), renew: vi.fn(), leave: vi.fn() } satisfies RoomLink;
  const answer = Promise.withResolvers<void>();
  let handlers!: RoomHandlers;
  joinRoom.mockImplementationOnce(async (_endpoint, _options, given) => {
    handlers = given;
    await answer.promise;
    return ok(link);
  });
  const arrive = async () => {
    answer.resolve();
    await vi.advanceTimersByTimeAsync(0);
    return handlers;
  };
  return { link, arrive };
}

describe.each([
  ['falls silent', (_handlers: RoomHandlers) => {}],
  ['breaks', (handlers: RoomHandlers) => handlers.onDropped(1006)],
  ['breaks and cannot be resumed', (handlers: RoomHandlers) => handlers.onClosed(4003)],
])('a line that %s', (_name, lose) => {
  test('is replaced with a return ticket after a moment, and the match continues', async () => {
    const entered = await play();
    const { handlers, joinRoom, last, send, room } = entered;
    const next = holdJoin(entered);
    lose(handlers);
    await vi.advanceTimersByTimeAsync(1_400);
    expect(joinRoom).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(400);
    expect(joinRoom.mock.calls[1]![1]).toMatchObject({ type: 'player', joinTicket: 'return' });
    expect(last('countdown')!.countdown).toMatchObject({ kind: 'lost' });
    await listen(await next.arrive(), 20_000);
    expect(joinRoom).toHaveBeenCalledTimes(2);
    expect(last('countdown')!.countdown).toBeUndefined();
    expect(last('disconnected')).toBeUndefined();
    send.mockClear();
    room.send('fullUpdate');
    expect(next.link.send).toHaveBeenCalledWith('fullUpdate');
    expect(send).not.toHaveBeenCalled();
  });

  test('is retried, one attempt at a time, until the countdown ends', async () => {
    const { handlers, joinRoom, last } = await play();
    let underWay = 0;
    joinRoom.mockImplementation(async () => {
      expect(++underWay).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      underWay--;
      return err(failure('DISCONNECTED'));
    });
    lose(handlers);
    await vi.advanceTimersByTimeAsync(9_500);
    expect(last('disconnected')).toBeDefined();
    const tries = joinRoom.mock.calls.length;
    expect(tries).toBeGreaterThan(6);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(joinRoom).toHaveBeenCalledTimes(tries);
  });
});

test('nothing that the player does is put into a silent line, to take effect later', async () => {
  const { room, send, handlers } = await play();
  send.mockReturnValue(true);
  expect(room.send('split', { seq: 1 })).toBe(true);
  await vi.advanceTimersByTimeAsync(1_200);
  send.mockClear();
  expect(room.send('split', { seq: 2 })).toBe(false);
  expect(send).not.toHaveBeenCalledWith('split', expect.anything());
  await listen(handlers, 40);
  expect(room.send('split', { seq: 3 })).toBe(true);
});

test('a connection that recovers while a ticket is fetched is kept', async () => {
  const { handlers, findMatch, joinRoom, leave, last } = await play();
  const way = Promise.withResolvers<ArenaVisit>();
  findMatch.mockReturnValue(way.promise);
  handlers.onDropped(1006);
  await vi.advanceTimersByTimeAsync(1_800);
  expect(findMatch).toHaveBeenCalledOnce();
  handlers.onReconnected();
  await listen(handlers, 400);
  way.resolve(returning);
  await listen(handlers, 10_000);
  expect(joinRoom).toHaveBeenCalledOnce();
  expect(leave).not.toHaveBeenCalled();
  expect(last('countdown')!.countdown).toBeUndefined();
});

test('a connection that recovers during the new join is replaced, because the room admits the new one', async () => {
  const entered = await play();
  const { handlers, leave, last, onState } = entered;
  const next = holdJoin(entered);
  await vi.advanceTimersByTimeAsync(1_800);
  await listen(handlers, 80);
  handlers.onMessage(kicked);
  handlers.onClosed(4002);
  expect(last('left')).toBeUndefined();
  const there = await next.arrive();
  expect(leave).toHaveBeenCalledOnce();
  expect(next.link.leave).not.toHaveBeenCalled();
  await listen(there, 400);
  expect(last('countdown')!.countdown).toBeUndefined();

  onState.mockClear();
  handlers.onState(new Uint8Array(10));
  handlers.onMessage(kicked);
  handlers.onDropped(1005);
  handlers.onClosed(1005);
  expect(onState).not.toHaveBeenCalled();
  expect(last('left')).toBeUndefined();
});

test('a player whom another window replaces leaves, although the line was replaced before', async () => {
  const { handlers, joinRoom, last } = await play();
  handlers.onDropped(1006);
  await vi.advanceTimersByTimeAsync(1_800);
  const there = joinRoom.mock.lastCall![2];
  await listen(there, 400);
  there.onMessage(kicked);
  expect(last('left')).toMatchObject({ reason: { text: expect.stringContaining('somewhere else') } });
});

test('a join without an answer does not hold up the next one, which is the one that counts', async () => {
  const entered = await play();
  const slow = holdJoin(entered);
  const quick = holdJoin(entered);
  await vi.advanceTimersByTimeAsync(6_500);
  expect(entered.joinRoom).toHaveBeenCalledTimes(3);
  await listen(await quick.arrive(), 400);
  await slow.arrive();
  expect(slow.link.leave).toHaveBeenCalledOnce();
  expect(quick.link.leave).not.toHaveBeenCalled();
  expect(entered.last('countdown')!.countdown).toBeUndefined();
});

test('a join that is answered late is used if there is nothing better', async () => {
  const entered = await play();
  const slow = holdJoin(entered);
  entered.joinRoom.mockResolvedValue(err(failure('DISCONNECTED')));
  await vi.advanceTimersByTimeAsync(6_500);
  await listen(await slow.arrive(), 2_000);
  expect(slow.link.leave).not.toHaveBeenCalled();
  expect(entered.last('countdown')!.countdown).toBeUndefined();
});

test('a silent connection is opened again while a ticket is fetched, and kept if that works first', async () => {
  const { handlers, findMatch, joinRoom, renew, last } = await play();
  findMatch.mockReturnValue(new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(1_400);
  expect(renew).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(400);
  expect(renew).toHaveBeenCalledOnce();
  handlers.onReconnected();
  await listen(handlers, 10_000);
  expect(joinRoom).toHaveBeenCalledOnce();
  expect(last('countdown')!.countdown).toBeUndefined();
});

test('a join that succeeds when the player has given up is left', async () => {
  const entered = await play();
  const next = holdJoin(entered);
  entered.joinRoom.mockResolvedValue(err(failure('DISCONNECTED')));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(entered.last('disconnected')).toBeDefined();
  await next.arrive();
  expect(next.link.leave).toHaveBeenCalledOnce();
});

test('a match that moved while the line was down is found', async () => {
  const { handlers, findMatch, joinRoom, last } = await play();
  findMatch.mockResolvedValue({ ...returning, lobby: { ...lobby, baseGame: 'https://us.example' } });
  handlers.onDropped(1006);
  await vi.advanceTimersByTimeAsync(1_800);
  const [endpoint, options, there] = joinRoom.mock.lastCall!;
  expect(endpoint).toBe('https://us.example');
  expect(options).toMatchObject({ joinTicket: 'return' });
  await listen(there, 10_000);
  expect(last('disconnected')).toBeUndefined();
});

describe('a spectator', () => {
  const watching: ArenaVisit = { type: 'spectator', lobby };

  test('whose line is lost joins again', async () => {
    const entered = await play(watching);
    const next = holdJoin(entered);
    entered.handlers.onClosed(4003);
    await vi.advanceTimersByTimeAsync(1_800);
    expect(entered.joinRoom.mock.calls[1]![1]).toMatchObject({ type: 'spectator' });
    await listen(await next.arrive(), 20_000);
    expect(entered.last('left')).toBeUndefined();
    expect(entered.last('countdown')).toBeUndefined();
  });

  test('of a paid match joins once and waits for the delayed update', async () => {
    const { handlers, joinRoom, last } = await play({
      type: 'spectator',
      lobby: { ...lobby, entryFee: '100000000' },
    });
    handlers.onDropped(1006);
    await vi.advanceTimersByTimeAsync(11_000);
    expect(joinRoom).toHaveBeenCalledTimes(2);
    await listen(joinRoom.mock.lastCall![2], 1_000);
    expect(last('left')).toBeUndefined();
  });
});

test.each([
  ['player', player, 'disconnected'],
  ['spectator', { type: 'spectator', lobby } as const, 'left'],
] as const)('a %s who never hears anything is not kept waiting', async (_name, visit, end) => {
  const { last, findMatch } = await enter(visit);
  findMatch.mockResolvedValue(undefined);
  await vi.advanceTimersByTimeAsync(16_000);
  expect(last(end)).toBeDefined();
});

test('a player whose arena takes long to draw is not disconnected', async () => {
  const { handlers, last } = await enter(player, 'joined', null, new Promise(() => {}));
  handlers.onMessage({ type: 'welcome', payload: {} as never });
  await vi.advanceTimersByTimeAsync(25_000);
  expect(last('countdown')?.countdown).toBeUndefined();
  expect(last('disconnected')).toBeUndefined();
});
