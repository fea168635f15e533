import { setTimeout as sleep } from 'node:timers/promises';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { io, type Socket } from 'socket.io-client';

/*
 * Pages that are open on the menu: they read everything, ask for all leaderboards once they are connected, and for one when
 * somebody opens its tab, every two minutes. Some of them write to the chat, when they are given cookies of players.
 */

export type ReaderRequest = { readonly type: 'count' };
export type ReaderMessage =
  | { readonly type: 'connected' }
  | { readonly type: 'counted'; readonly messages: number; readonly delaysMs: readonly number[] };

const ASK_EVERY_MS = 120_000;
const [url, count, perSecond, ...cookies] = process.argv.slice(2);
let messages = 0;
let delaysMs: number[] = [];

const writers: Socket[] = [];
for (let reader = 0; reader < Number(count); reader++) {
  const cookie = cookies[reader];
  const socket = io(url!, {
    transports: ['websocket'],
    forceNew: true,
    ...(cookie !== undefined && { extraHeaders: { cookie } }),
  });
  if (cookie !== undefined) writers.push(socket);
  socket.on('lobby:chat:message', ({ timestamp }: { timestamp: number }) => {
    messages++;
    if (reader === 0) delaysMs.push(Date.now() - timestamp);
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.emit('register', 'anonymous');
  for (const { event } of LEADERBOARD_PERIODS) socket.emit(`get:leaderboard:${event}`);
  const ask = () => socket.emit(`get:leaderboard:${LEADERBOARD_PERIODS[1].event}`);
  // Spread over the time, as people are.
  setTimeout(() => setInterval(ask, ASK_EVERY_MS), Math.random() * ASK_EVERY_MS);
  await sleep(5);
}
if (writers.length > 0 && Number(perSecond) > 0) {
  let next = 0;
  setInterval(() => {
    const message = `message ${next} of the bench, about as long as people write`;
    writers[next++ % writers.length]!.emit('lobby:chat:send', { message });
  }, 1_000 / Number(perSecond));
}
process.on('message', () => {
  process.send!({ type: 'counted', messages, delaysMs } satisfies ReaderMessage);
  messages = 0;
  delaysMs = [];
});
process.send!({ type: 'connected' } satisfies ReaderMessage);
