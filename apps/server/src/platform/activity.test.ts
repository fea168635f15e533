import { EventEmitter } from 'node:events';
import { expect, test, vi } from 'vitest';
import { watchConnections } from './activity.ts';

test('a server is idle while nobody is connected, and reports when somebody connects', () => {
  const server = new EventEmitter();
  const activity = watchConnections(server as unknown as Parameters<typeof watchConnections>[0]);
  const onBusy = vi.fn();
  activity.onBusy(onBusy);
  expect(activity.isIdle()).toBe(true);
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  server.emit('connection', first);
  server.emit('connection', second);
  expect(activity.isIdle()).toBe(false);
  expect(onBusy).toHaveBeenCalledOnce();
  first.emit('close');
  expect(activity.isIdle()).toBe(false);
  second.emit('close');
  expect(activity.isIdle()).toBe(true);
  server.emit('connection', first);
  expect(onBusy).toHaveBeenCalledTimes(2);
});

test('reports once when nobody has been connected for a minute and a half', () => {
  vi.useFakeTimers();
  try {
    const server = new EventEmitter();
    const activity = watchConnections(server as unknown as Parameters<typeof watchConnections>[0]);
    const onQuiet = vi.fn();
    activity.onQuiet(onQuiet);
    vi.advanceTimersByTime(89_000);
    const socket = new EventEmitter();
    server.emit('connection', socket);
    vi.advanceTimersByTime(200_000);
    expect(onQuiet).not.toHaveBeenCalled();
    expect(activity.isQuiet()).toBe(false);
    socket.emit('close');
    vi.advanceTimersByTime(89_000);
    expect(onQuiet).not.toHaveBeenCalled();
    vi.advanceTimersByTime(200_000);
    expect(onQuiet).toHaveBeenCalledOnce();
    expect(activity.isQuiet()).toBe(true);
    server.emit('connection', socket);
    expect(activity.isQuiet()).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
