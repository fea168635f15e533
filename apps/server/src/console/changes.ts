import { randomBytes } from 'node:crypto';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { type ConsoleChange, showConsoleChange } from '@engulf/protocol/http/console';
import { and, eq, gt, lte } from 'drizzle-orm';
import { isStrictlySigned } from '../accounts/strict-signature.ts';
import {
  type AdminContext,
  type Change,
  type Io,
  Refusal,
  Unfinished,
  UsageError,
} from '../admin/command.ts';
import { applyChange, prepareChange } from '../admin/run-command.ts';
import { consoleRequests } from '../platform/database/operations.ts';
import type { UserRow } from '../platform/database/people.ts';
import { mayRun } from './allowed-commands.ts';
import { changeText, oneLine } from './change-text.ts';

/*
 * A change in two steps. It is tried first, and what would change is stored with the text to sign, under a nonce. Signed by the
 * wallet of the same user, it is tried again and must come to the same; then it is made by the operator's command, and text and
 * signature stand beside it in the audit log. A session alone can change nothing.
 */

const SIGN_WITHIN_MS = 5 * 60_000;
/** Of the command line, which the console does not offer. */
const NOT_OPTIONS = ['as', 'yes', 'dry-run', 'help', 'json', 'reason'];

type Refused = Failure<'FORBIDDEN' | 'CONSOLE_REFUSED' | 'CONSOLE_SIGNATURE_REFUSED'>;

type Shown = {
  readonly nonce: string;
  readonly lines: readonly string[];
  readonly text: string;
  readonly expiresAt: Date;
};

export async function showChange(
  admin: AdminContext,
  user: UserRow,
  asked: ConsoleChange,
  origin: string,
): Promise<Result<Shown, Refused>> {
  return explained(async () => {
    const prepared = await prepare(admin, user, asked);
    if (!prepared) return refuse('FORBIDDEN');
    const { lines } = prepared;
    if (lines.length === 0) return refuse('CONSOLE_REFUSED', { reason: 'It is so already.' });
    const nonce = randomBytes(16).toString('hex');
    const nowMs = admin.nowMs();
    const expiresAt = new Date(nowMs + SIGN_WITHIN_MS);
    const text = changeText({
      origin,
      wallet: user.walletAddress,
      name: user.name,
      command: [asked.command, ...asked.positionals, ...optionWords(asked)].join(' '),
      lines,
      reason: asked.reason,
      nonce,
      expiresAt,
    });
    await admin.db.delete(consoleRequests).where(lte(consoleRequests.expiresAt, new Date(nowMs)));
    await admin.db.insert(consoleRequests).values({ nonce, userId: user.id, asked, lines, text, expiresAt });
    return ok({ nonce, lines, text, expiresAt });
  });
}

/** A nonce is used up by the first attempt, whatever comes of it. Returns what the command reported. */
export async function signChange(
  admin: AdminContext,
  user: UserRow,
  { nonce, signature }: { readonly nonce: string; readonly signature: Uint8Array },
): Promise<Result<readonly string[], Refused>> {
  const isOurs = and(
    eq(consoleRequests.nonce, nonce),
    eq(consoleRequests.userId, user.id),
    gt(consoleRequests.expiresAt, new Date(admin.nowMs())),
  );
  const [taken] = await admin.db.delete(consoleRequests).where(isOurs).returning();
  if (!taken || !isStrictlySigned(user.walletAddress, Buffer.from(taken.text), signature))
    return refuse('CONSOLE_SIGNATURE_REFUSED');
  return explained(async () => {
    const asked = showConsoleChange.body.parse(taken.asked);
    const prepared = await prepare(admin, user, asked);
    if (!prepared) return refuse('FORBIDDEN');
    if (JSON.stringify(prepared.lines) !== JSON.stringify(taken.lines))
      throw new Refusal('It is no longer as it was shown: look again. Nothing was changed.');
    const reports: string[] = [];
    const signed = { text: taken.text, signature: Buffer.from(signature).toString('base64') };
    const by = { actor: user.id, action: asked.command, reason: asked.reason, signed };
    await applyChange(admin, prepared.change.apply, by, (line) => reports.push(line));
    return ok(reports);
  });
}

type Prepared = { readonly change: Change; readonly lines: readonly string[] };

/** Undefined if the user may not ask for it. */
async function prepare(
  admin: AdminContext,
  user: UserRow,
  asked: ConsoleChange,
): Promise<Prepared | undefined> {
  if (!(await mayRun(admin.db, user, asked))) return undefined;
  const refused = Object.keys(asked.options).find((name) => NOT_OPTIONS.includes(name));
  if (refused !== undefined) throw new UsageError(`The console does not offer --${refused}.`);
  const argv = [
    ...asked.command.split(' '),
    ...optionWords(asked),
    `--reason=${asked.reason}`,
    '--',
    ...asked.positionals,
  ];
  const { change } = await prepareChange(admin, argv, silent(user));
  return { change, lines: change.lines.map(oneLine) };
}

function optionWords({ options }: Pick<ConsoleChange, 'options'>): string[] {
  return Object.entries(options).map(([name, value]) =>
    value === true ? `--${name}` : `--${name}=${value}`,
  );
}

/** Commands that ask or read files are not offered. */
function silent({ id }: UserRow): Io {
  return {
    actor: id,
    folder: '/',
    write: () => undefined,
    writeError: () => undefined,
    ask: async () => undefined,
  };
}

async function explained<Value>(
  work: () => Promise<Result<Value, Refused>>,
): Promise<Result<Value, Refused>> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Unfinished)
      return refuse('CONSOLE_REFUSED', {
        reason: `${error.message} Ask for the same change again to go on.`,
      });
    if (error instanceof UsageError || error instanceof Refusal)
      return refuse('CONSOLE_REFUSED', { reason: error.message });
    throw error;
  }
}
