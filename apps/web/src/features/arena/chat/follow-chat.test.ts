import { expect, test, vi } from 'vitest';
import { setSilenced } from '../../../shared/silenced.ts';
import { createArenaEvents, type RoomMessage } from '../net/events.ts';
import { createChatStore } from './chat-store.ts';
import { followChat } from './follow-chat.ts';

function open() {
  const events = createArenaEvents();
  const chat = createChatStore();
  const askHistory = vi.fn();
  const clock = { nowMs: 100_000 };
  const seen: Record<string, number> = {};
  const colourOf = (name: string) => seen[name];
  followChat(chat, events, { ownName: 'me', colourOf, nowMs: () => clock.nowMs, askHistory });
  const lines = () => chat.getState().lines.map(({ type, text }) => `${type}: ${text}`);
  return { events, chat, seen, askHistory, clock, lines };
}

const WELCOME = { type: 'welcome', payload: {} } as unknown as RoomMessage & { type: 'welcome' };
const line = {
  id: '7',
  sender: 'ann',
  lobbyId: 'lobby',
  user_id: 'u-ann',
  message: 'hi',
  avatarUrl: null,
  timestamp: 5,
} as const;

test('the history is asked for on entering, and again after a new connection', () => {
  const { events, askHistory, clock } = open();
  events.publish(WELCOME);
  events.publish(WELCOME);
  expect(askHistory).toHaveBeenCalledTimes(1);
  clock.nowMs += 6_000;
  events.publish(WELCOME);
  expect(askHistory).toHaveBeenCalledTimes(2);
});

test('what people, admins and the server say becomes lines of their kinds', () => {
  const { events, chat, lines } = open();
  events.publish({ type: 'chatMessage', payload: { ...line, type: 'player' } });
  events.publish({ type: 'chatMessage', payload: { ...line, id: '8', type: 'admin' } });
  events.publish({ type: 'chatMessage', payload: { ...line, id: '9', type: 'announcement' } });
  events.publish({ type: 'privateMessage', payload: { ...line, type: 'private', to: 'me' } });
  events.publish({ type: 'serverMessage', payload: { message: 'cleared' } });
  expect(lines()).toEqual(['player: hi', 'admin: hi', 'announcement: hi', 'private: hi', 'server: cleared']);
  expect(chat.getState().lines[3]).toMatchObject({ to: 'me', sender: { name: 'ann', userId: 'u-ann' } });
});

test('an author who is in sight is written in the colour of its cell', () => {
  const { events, chat, seen } = open();
  events.publish({ type: 'chatMessage', payload: { ...line, type: 'player' } });
  seen['ann'] = 8;
  events.publish({ type: 'chatMessage', payload: { ...line, id: '8', type: 'player' } });
  expect(chat.getState().lines.map(({ sender }) => sender?.colour)).toEqual([undefined, 8]);
});

test('of the live feed it shows who comes and goes, own kills and the end of the lobby', () => {
  const { events, lines } = open();
  const kill = { type: 'kill', killerName: 'ann', reward: '', timestamp: 1 } as const;
  const payload = [
    { type: 'join', playerName: 'ann', timestamp: 1 },
    { ...kill, victimName: 'bob' },
    { ...kill, victimName: 'me' },
    { type: 'disconnect', playerName: 'bob', timestamp: 1 },
    { type: 'lobby_closing', minutesRemaining: 5, timestamp: 1 },
  ] as const;
  events.publish({ type: 'liveUpdate', payload: [...payload] });
  expect(lines()).toEqual([
    'join: ann joined the lobby',
    'kill: ann ate me',
    'leave: bob left',
    'system: Lobby closing in 5 min',
  ]);
});

test('what the room sends again after a new join is shown once', () => {
  const { events, lines } = open();
  const joined = { type: 'join', playerName: 'ann', timestamp: 1 } as const;
  const left = { type: 'disconnect', playerName: 'ann', timestamp: 2 } as const;
  events.publish({ type: 'liveUpdate', payload: [joined, left] });
  events.publish({ type: 'liveUpdate', payload: [joined, left, { ...joined, timestamp: 3 }] });
  expect(lines()).toEqual(['join: ann joined the lobby', 'leave: ann left', 'join: ann joined the lobby']);
  events.publish({ type: 'serverMessage', payload: { message: 'cleared' } });
  events.publish({ type: 'serverMessage', payload: { message: 'cleared' } });
  expect(lines().slice(3)).toEqual(['server: cleared', 'server: cleared']);
});

test('a refusal is shown for five seconds', () => {
  const { events, chat } = open();
  events.publish({ type: 'chatError', payload: { error: 'Chat is switched off' } });
  expect(chat.getState().problem).toEqual({ text: 'Chat is switched off', shownMs: 5_000 });
});

test('a line that a connection took with it was not sent', () => {
  const { events, chat } = open();
  const own = { type: 'chatMessage', payload: { ...line, sender: 'me', type: 'player' } } as const;
  const other = { type: 'chatMessage', payload: { ...line, id: '8', type: 'player' } } as const;
  chat.setState({ isUnderWay: true });
  events.publish(own);
  events.publish(WELCOME);
  expect(chat.getState().problem).toBeUndefined();

  chat.setState({ isUnderWay: true });
  events.publish(other);
  events.publish(WELCOME);
  expect(chat.getState().problem?.text).toBe('Unable to send');
});

test('a silenced player is neither heard nor in the history, until heard again', () => {
  const { events, lines } = open();
  setSilenced('ann', true);
  events.publish({ type: 'chatMessage', payload: { ...line, type: 'player' } });
  events.publish({ type: 'chatHistory', payload: { messages: [{ ...line, type: 'player' }] } });
  expect(lines()).toEqual([]);
  setSilenced('ann', false);
  events.publish({ type: 'chatMessage', payload: { ...line, type: 'player' } });
  expect(lines()).toHaveLength(1);
});
