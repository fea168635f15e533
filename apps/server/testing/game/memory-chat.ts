import { failure, refuse } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import type { RoomChatLine } from '@engulf/protocol/room/chat-messages';
import type { ChatRefusal, ChatVisitor, GameChat, GameChatEvent } from '../../src/game/ports.ts';

/** A chat that keeps its lines in memory and refuses what a test tells it to. */
export type MemoryChat = GameChat & {
  readonly lines: RoomChatLine[];
  /** Who wrote, and from where. */
  readonly visitors: ChatVisitor[];
  /** Why the next texts are refused. */
  refusal: ChatRefusal | undefined;
  /** While true, no call is answered. */
  isStuck: boolean;
  /** While true, calls fail as if the database were gone. */
  isBroken: boolean;
  kick(userId: UserId): void;
  clear(lobbyId: LobbyId): void;
};

export function createMemoryChat(): MemoryChat {
  const listeners = new Set<(event: GameChatEvent) => void>();
  const publish = (event: GameChatEvent) => {
    for (const listener of listeners) listener(event);
  };
  const answer = async (): Promise<void> => {
    while (chat.isStuck) await new Promise((resolve) => setImmediate(resolve));
    if (chat.isBroken) throw new Error('the database is gone');
  };
  const chat: MemoryChat = {
    lines: [],
    visitors: [],
    refusal: undefined,
    isStuck: false,
    isBroken: false,
    write: async (visitor, lobbyId, text) => {
      chat.visitors.push(visitor);
      await answer();
      if (chat.refusal) return err(chat.refusal);
      if (text.startsWith('/')) return refuse('CHAT_COMMAND_FORBIDDEN');
      const line: RoomChatLine = {
        id: String(chat.lines.length + 1),
        sender: visitor.userId,
        lobbyId,
        user_id: visitor.userId,
        message: text,
        avatarUrl: null,
        timestamp: chat.lines.length,
        type: 'player',
      };
      chat.lines.push(line);
      publish({ kind: 'line', line });
      return ok(undefined);
    },
    whisper: async (_visitor, text) => {
      await answer();
      return chat.refusal ? err(chat.refusal) : ok(text);
    },
    readLatest: async (lobbyId) => {
      await answer();
      return chat.refusal
        ? err(failure('CHAT_CLOSED'))
        : ok(chat.lines.filter((line) => line.lobbyId === lobbyId));
    },
    follow: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kick: (userId) => publish({ kind: 'kicked', userId }),
    clear: (lobbyId) => {
      chat.lines.length = 0;
      publish({ kind: 'removed', lobbyId });
    },
  };
  return chat;
}
