import type { RoomChatLine } from '@engulf/protocol/room/chat-messages';

/** One line of the window. Lines without an author are made here from the arena's events. */
export type ChatLine = {
  /** Of this window. */
  readonly key: number;
  readonly type: RoomChatLine['type'] | 'server' | 'system' | 'join' | 'leave' | 'kill';
  readonly text: string;
  readonly timestamp: number;
  /** The author, and the only recipient of a private line. */
  readonly sender?: { readonly name: string; readonly userId: string | null; readonly colour?: number };
  readonly to?: string;
  /** Of a line that the server keeps. */
  readonly id?: string;
};

export type NewChatLine = Omit<ChatLine, 'key'>;

const KEPT = { most: 50, afterCut: 30 } as const;

let lastKey = 0;

/** Oldest first. A full list is cut. */
export function withLine(lines: readonly ChatLine[], line: NewChatLine): readonly ChatLine[] {
  if (lines.some((known) => isSame(known, line))) return lines;
  const all = [...lines, { ...line, key: ++lastKey }];
  return all.length > KEPT.most ? all.slice(-KEPT.afterCut) : all;
}

/** The room sends its feed again after a new join. */
function isSame(known: ChatLine, line: NewChatLine): boolean {
  if (line.id !== undefined) return known.id === line.id;
  const isFromFeed = line.sender === undefined && line.type !== 'server';
  const { type, text, timestamp } = known;
  return isFromFeed && type === line.type && text === line.text && timestamp === line.timestamp;
}

/** Replaces the server's lines and keeps those that only this window has. */
export function withHistory(lines: readonly ChatLine[], kept: readonly RoomChatLine[]): readonly ChatLine[] {
  const known = new Map(lines.map((line) => [line.id, line]));
  const own = lines.filter(({ id }) => id === undefined);
  const theirs = kept.map((line) => known.get(line.id) ?? { ...readLine(line), key: ++lastKey });
  return [...own, ...theirs].toSorted((a, b) => a.timestamp - b.timestamp).slice(-KEPT.most);
}

export function readLine({
  id,
  type,
  message,
  timestamp,
  sender,
  user_id: userId,
}: RoomChatLine): NewChatLine {
  return { id, type, text: message, timestamp, sender: { name: sender, userId } };
}
