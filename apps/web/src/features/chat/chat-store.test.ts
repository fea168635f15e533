import { type ChatMessage, GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import { afterEach, expect, test, vi } from 'vitest';
import { chatInput, useChatStore } from './chat-store.ts';

const message = (id: number): ChatMessage => ({
  id: String(id),
  sender: 'Wobble',
  lobbyId: GLOBAL_CHANNEL,
  user_id: 'u1',
  message: `message ${id}`,
  avatarUrl: null,
  timestamp: id,
  type: 'user',
});
const ids = () => useChatStore.getState().messages.list.map(({ id }) => Number(id));
const newestTen = (newest: number) => Array.from({ length: 10 }, (_, nth) => newest - nth);

function servePage(newest: number): Response {
  return Response.json({ data: newestTen(newest).map(message), hasMorePages: true, currentPage: 1 });
}

afterEach(() => vi.unstubAllGlobals());

test('a message that arrives right after a reconnect does not hide those that were missed', async () => {
  vi.stubGlobal('fetch', async () => servePage(25));
  chatInput.connected();
  await vi.waitFor(() => expect(ids().at(-1)).toBe(25));
  chatInput.disconnected();

  const fails = Promise.withResolvers<Response>();
  const answers = Promise.withResolvers<Response>();
  const fetch = vi.fn().mockReturnValueOnce(fails.promise).mockReturnValueOnce(answers.promise);
  vi.stubGlobal('fetch', fetch);
  chatInput.connected();
  chatInput.received(message(60));
  await vi.waitFor(() => expect(ids().at(-1)).toBe(60));
  fails.reject(new Error('gone again'));
  chatInput.connected();
  answers.resolve(servePage(60));
  await vi.waitFor(() => expect(ids()).toEqual(newestTen(60).toReversed()));
});

test('a line that a connection took with it was not sent', () => {
  vi.stubGlobal('fetch', async () => servePage(60));
  chatInput.errorSeen();
  chatInput.sent('u1');
  chatInput.received(message(61));
  chatInput.disconnected();
  expect(useChatStore.getState().error).toBeUndefined();

  chatInput.sent('u2');
  chatInput.received(message(62));
  chatInput.disconnected();
  expect(useChatStore.getState().error).toEqual({ reason: 'Unable to send' });
});
