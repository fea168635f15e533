import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';

export type ChatCommand =
  | { readonly name: 'clear' }
  | { readonly name: 'kick'; readonly username: string }
  | { readonly name: 'announce'; readonly message: string };

export const isChatCommand = (line: string): boolean => line.startsWith('/');

/** Reads a line that begins with a slash. Whether its author may give commands is for the server to decide. */
export function parseChatCommand(line: string): Result<ChatCommand, Failure<'CHAT_COMMAND_INVALID'>> {
  const [, name = '', rest = ''] = /^\/(\S*)\s*(.*)$/s.exec(line) ?? [];
  switch (name.toLowerCase()) {
    case 'clear':
      return rest === '' ? ok({ name: 'clear' }) : refuse('CHAT_COMMAND_INVALID');
    case 'kick':
      return /^@?\S+$/.test(rest)
        ? ok({ name: 'kick', username: rest.replace(/^@/, '') })
        : refuse('CHAT_COMMAND_INVALID');
    case 'announce':
      return rest === '' ? refuse('CHAT_COMMAND_INVALID') : ok({ name: 'announce', message: rest });
    default:
      return refuse('CHAT_COMMAND_INVALID');
  }
}
