import { eq } from 'drizzle-orm';
import { CHAT_EVENTS } from '../../chat/chat-event.ts';
import { banFromChat, readMutes, unmute } from '../../chat/kicks.ts';
import { removeMessage } from '../../chat/messages.ts';
import { chatMessages } from '../../platform/database/chat.ts';
import { type Command, defineChange, Refusal, UsageError } from '../command.ts';
import { requireUser } from '../find-rows.ts';
import { durationMs, neededText, optionalText, timeOf, wholeNumber } from '../read-values.ts';

const MAX_MUTE_MS = 90 * 24 * 3_600_000;

const muteUser = defineChange({
  name: 'chat mute',
  about: 'Keeps a user from writing in the chat. A game goes on, unlike after /kick.',
  positionals: ['user'],
  options: {
    for: { type: 'string', value: 'TIME', about: 'How long: 10m, 2h, 7d. At most 90 days.' },
    until: { type: 'string', value: 'TIME', about: 'Instead of --for: 2026-12-01T18:00Z.' },
  },
  prepare: async ({ admin, positionals: [text], values }) => {
    const user = await requireUser(admin.db, text!);
    const untilText = optionalText(values, 'until');
    if (untilText !== undefined && values['for'] !== undefined)
      throw new UsageError('Give --for or --until, not both.');
    const untilMs =
      untilText === undefined
        ? admin.nowMs() + durationMs(neededText(values, 'for'), '--for')
        : timeOf(untilText, '--until');
    if (untilMs <= admin.nowMs() || untilMs > admin.nowMs() + MAX_MUTE_MS)
      throw new UsageError('It must end in the future, within 90 days.');
    const until = new Date(untilMs);
    return {
      lines: [`${user.name} (${user.walletAddress}) cannot write in the chat until ${until.toISOString()}`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await banFromChat(tx, user.id, until);
          await note(tx, user.id, { until: until.toISOString() });
        });
      },
    };
  },
});

const unmuteUser = defineChange({
  name: 'chat unmute',
  about: 'Lets a user write in the chat again.',
  positionals: ['user'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const user = await requireUser(admin.db, text!);
    const untilMs = (await readMutes(admin.db, admin.nowMs())).get(user.id);
    return {
      lines:
        untilMs === undefined ? [] : [`${user.name} (${user.walletAddress}) may write in the chat again`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await unmute(tx, user.id);
          await note(tx, user.id, { before: new Date(untilMs!).toISOString() });
        });
      },
    };
  },
});

const removeLine = defineChange({
  name: 'chat remove',
  about: 'Removes a message from the chat.',
  positionals: ['message'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const id = wholeNumber(text!, '<message>', { min: 1, max: Number.MAX_SAFE_INTEGER });
    const [row] = await admin.db.select().from(chatMessages).where(eq(chatMessages.id, id));
    if (!row) throw new Refusal(`There is no message ${id}.`);
    return {
      lines: row.removedAt ? [] : [`message ${id} is removed: "${row.message}"`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          if (!(await removeMessage(tx, id, new Date(admin.nowMs()))))
            throw new Refusal('It is removed already.');
          const details = { channel: row.channel, messageId: id, message: row.message };
          await note(tx, row.userId ?? row.channel, details);
        });
        admin.bus.publish(CHAT_EVENTS, { kind: 'removed', channel: row.channel });
      },
    };
  },
});

export const CHAT_COMMANDS: readonly Command[] = [muteUser, unmuteUser, removeLine];
