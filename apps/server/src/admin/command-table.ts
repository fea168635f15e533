import type { Command } from './command.ts';
import { ARCHIVE_COMMANDS } from './commands/archive.ts';
import { AUDIT_COMMANDS } from './commands/audit.ts';
import { BOOK_COMMANDS } from './commands/books.ts';
import { CHAT_COMMANDS } from './commands/chat.ts';
import { CODE_COMMANDS } from './commands/codes.ts';
import { DATABASE_COMMANDS } from './commands/database.ts';
import { INTEGRITY_COMMANDS } from './commands/integrity.ts';
import { LOBBY_COMMANDS } from './commands/lobbies.ts';
import { PAYOUT_COMMANDS } from './commands/payouts.ts';
import { PLATFORM_COMMANDS } from './commands/platform.ts';
import { RAFFLE_COMMANDS } from './commands/raffle.ts';
import { STATS_COMMANDS } from './commands/stats.ts';
import { SUPER_ADMIN_COMMANDS } from './commands/super-admin.ts';
import { SWITCH_COMMANDS } from './commands/switches.ts';
import { TASK_COMMANDS } from './commands/tasks.ts';
import { USER_COMMANDS } from './commands/users.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  ...PLATFORM_COMMANDS,
  ...SUPER_ADMIN_COMMANDS,
  ...LOBBY_COMMANDS,
  ...CODE_COMMANDS,
  ...TASK_COMMANDS,
  ...RAFFLE_COMMANDS,
  ...USER_COMMANDS,
  ...CHAT_COMMANDS,
  ...INTEGRITY_COMMANDS,
  ...SWITCH_COMMANDS,
  ...PAYOUT_COMMANDS,
  ...BOOK_COMMANDS,
  ...STATS_COMMANDS,
  ...DATABASE_COMMANDS,
  ...ARCHIVE_COMMANDS,
  ...AUDIT_COMMANDS,
];
