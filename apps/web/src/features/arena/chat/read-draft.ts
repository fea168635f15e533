import { isChatCommand, parseChatCommand } from '@engulf/domain/chat/chat-command';
import { cleanChatMessage } from '@engulf/domain/chat/chat-text';
import { isPrivateMessage, parsePrivateMessage } from '@engulf/domain/chat/private-message';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';

export type ChatMessage = {
  [Type in 'chat' | 'privateMessage' | 'admin']: [type: Type, payload: RoomClientPayload<Type>];
}['chat' | 'privateMessage' | 'admin'];

type DraftRefusal = Failure<
  'CHAT_TOO_LONG' | 'CHAT_PRIVATE_FORMAT' | 'CHAT_COMMAND_FORBIDDEN' | 'CHAT_COMMAND_INVALID'
>;

/** What to send for a typed line; undefined for a blank one. The server decides in the end. */
export function readDraft(draft: string, isAdmin: boolean): Result<ChatMessage | undefined, DraftRefusal> {
  const cleaned = cleanChatMessage(draft);
  if (!cleaned.ok) return cleaned.error.code === 'CHAT_EMPTY' ? ok(undefined) : err(cleaned.error);
  const line = cleaned.value;
  if (isChatCommand(line)) return readCommand(line, isAdmin);
  if (!isPrivateMessage(line)) return ok(['chat', { message: line }]);
  const message = parsePrivateMessage(line);
  return message.ok ? ok(['privateMessage', message.value]) : message;
}

function readCommand(line: string, isAdmin: boolean): Result<ChatMessage, DraftRefusal> {
  if (!isAdmin) return refuse('CHAT_COMMAND_FORBIDDEN');
  const parsed = parseChatCommand(line);
  if (!parsed.ok) return parsed;
  const [command = '', ...args] = line.slice(1).split(' ');
  return ok(['admin', { command, args }]);
}
