import { cleanChatMessage } from './chat.ts';
import { type Failure, refuse } from './errors/registry.ts';
import { ok, type Result } from './errors/result.ts';

export const ADMIN_COMMANDS = ['clear', 'kick', 'announce'] as const;
export type AdminCommand = (typeof ADMIN_COMMANDS)[number];

/** What a line typed into the in-game chat asks for. */
export type ChatIntent =
  | { readonly kind: 'public'; readonly message: string }
  | { readonly kind: 'private'; readonly to: string; readonly message: string }
  | { readonly kind: 'command'; readonly command: AdminCommand; readonly args: readonly string[] };

type ChatInputFailure = Failure<
  'CHAT_EMPTY' | 'CHAT_TOO_LONG' | 'CHAT_PRIVATE_FORMAT' | 'CHAT_COMMAND_FORBIDDEN' | 'CHAT_COMMAND_INVALID'
>;

/** `isAdmin` is what the server knows; the client's word for it only saves a round trip. */
export function parseChatInput(text: string, isAdmin: boolean): Result<ChatIntent, ChatInputFailure> {
  const clean = cleanChatMessage(text);
  if (!clean.ok) return clean;
  const line = clean.value;
  if (line.startsWith('@')) return parsePrivate(line);
  if (line.startsWith('/')) return isAdmin ? parseCommand(line) : refuse('CHAT_COMMAND_FORBIDDEN');
  return ok({ kind: 'public', message: line });
}

function parsePrivate(line: string): Result<ChatIntent, ChatInputFailure> {
  const match = /^@(\S+)\s+(.+)$/s.exec(line);
  if (!match) return refuse('CHAT_PRIVATE_FORMAT');
  return ok({ kind: 'private', to: match[1]!, message: match[2]! });
}

const COMMAND_ARGUMENTS: { readonly [command in AdminCommand]: RegExp } = {
  clear: /^$/,
  kick: /^\S+$/,
  announce: /./s,
};

function parseCommand(line: string): Result<ChatIntent, ChatInputFailure> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? [];
  const command = ADMIN_COMMANDS.find((known) => known === name.toLowerCase());
  if (!command || !COMMAND_ARGUMENTS[command].test(rest)) return refuse('CHAT_COMMAND_INVALID');
  return ok({ kind: 'command', command, args: rest === '' ? [] : [rest] });
}
