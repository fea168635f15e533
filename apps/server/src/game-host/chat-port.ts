import { ok } from '@engulf/domain/errors/result';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import type { RoomChatLine } from '@engulf/protocol/room/chat-messages';
import { eq } from 'drizzle-orm';
import type { Chat, ChatAuthor } from '../chat/chat.ts';
import type { ChatEvent, WrittenMessage } from '../chat/chat-event.ts';
import type { ChatVisitor, GameChat, GameChatEvent } from '../game/ports.ts';
import type { Context } from '../platform/context.ts';
import { users } from '../platform/database/people.ts';

/** As many lines as the page keeps after it has trimmed its list. */
const HISTORY_LENGTH = 30;

/** The rooms' chat port on the server's chat. Roles are read again for every line. */
export function createGameChat({ db }: Pick<Context, 'db'>, chat: Chat): GameChat {
  const authorOf = ({ userId, address }: ChatVisitor): ChatAuthor => ({
    userId,
    address,
    findUser: async () => {
      const [user] = await db.select().from(users).where(eq(users.id, userId));
      return user?.bannedAt ? undefined : user;
    },
  });
  return {
    write: (visitor, lobbyId, text) => chat.write(authorOf(visitor), lobbyId, text),
    whisper: (visitor, text) => chat.whisper(authorOf(visitor), text),
    readLatest: async (lobbyId) => {
      const latest = await chat.readLatest(lobbyId, HISTORY_LENGTH);
      return latest.ok ? ok(latest.value.map(lineOf).reverse()) : latest;
    },
    follow: (listener) =>
      chat.subscribe((event) => {
        const inLobby = gameEventOf(event);
        if (inLobby) listener(inLobby);
      }),
  };
}

/** Undefined for events that only concern the menu. */
function gameEventOf(event: ChatEvent): GameChatEvent | undefined {
  switch (event.kind) {
    case 'message':
      return { kind: 'line', line: lineOf(event) };
    case 'removed':
      return event.channel === GLOBAL_CHANNEL ? undefined : { kind: 'removed', lobbyId: event.channel };
    case 'kicked':
      return event;
  }
}

function lineOf({ message, isByAdmin }: WrittenMessage): RoomChatLine {
  const type = message.type === 'system' ? 'announcement' : isByAdmin ? 'admin' : 'player';
  return { ...message, type };
}
