import { type ChatCommand, parseChatCommand } from '@engulf/domain/chat/chat-command';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { noteInAudit } from '../platform/audit.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import type { ChatChannel } from './channels.ts';
import type { ChatEvent } from './chat-event.ts';
import { findUserByName, mute } from './kicks.ts';
import { removeAllMessages, writeMessages } from './messages.ts';

export type CommandRefusal = Failure<
  'CHAT_COMMAND_FORBIDDEN' | 'CHAT_COMMAND_INVALID' | 'CHAT_RECIPIENT_NOT_FOUND'
>;

type Outcome = {
  readonly events: readonly ChatEvent[];
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
};

/** Runs what an admin typed and notes it in the audit log, both or neither. Returns what to tell the readers. */
export async function runCommand(
  context: Pick<Context, 'db' | 'nowMs'>,
  admin: UserRow,
  channel: ChatChannel,
  line: string,
): Promise<Result<readonly ChatEvent[], CommandRefusal>> {
  if (admin.role !== 'admin') return refuse('CHAT_COMMAND_FORBIDDEN');
  const command = parseChatCommand(line);
  if (!command.ok) return command;
  return context.db.transaction(async (tx) => {
    const done = await perform(context, tx, channel, command.value);
    if (!done.ok) return done;
    const { events, subject, details } = done.value;
    await noteInAudit(tx, context.nowMs(), {
      actor: admin.id,
      action: `chat ${command.value.name}`,
      subject,
      reason: line,
      details: { channel, ...details },
    });
    return ok(events);
  });
}

async function perform(
  { nowMs }: Pick<Context, 'nowMs'>,
  tx: Database,
  channel: ChatChannel,
  command: ChatCommand,
): Promise<Result<Outcome, CommandRefusal>> {
  const at = new Date(nowMs());
  switch (command.name) {
    case 'clear': {
      const removed = await removeAllMessages(tx, channel, at);
      return ok({ events: [{ kind: 'removed', channel }], subject: channel, details: { removed } });
    }
    case 'announce': {
      const [written] = await writeMessages(tx, [
        { channel, message: command.message, at, author: undefined },
      ]);
      const details = { messageId: Number(written!.message.id) };
      return ok({ events: [{ kind: 'message', ...written! }], subject: channel, details });
    }
    case 'kick': {
      const user = await findUserByName(tx, command.username);
      if (!user) return refuse('CHAT_RECIPIENT_NOT_FOUND', { name: command.username });
      await mute(tx, user.id, nowMs());
      const details = { username: user.name };
      return ok({ events: [{ kind: 'kicked', userId: user.id }], subject: user.id, details });
    }
  }
}
