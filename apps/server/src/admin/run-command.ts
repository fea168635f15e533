import { parseArgs } from 'node:util';
import { type AuditEntry, noteInAudit } from '../platform/audit.ts';
import {
  type AdminContext,
  type Call,
  type Change,
  type Command,
  type Io,
  type Options,
  Refusal,
  Unfinished,
  UsageError,
  type Values,
} from './command.ts';
import { COMMANDS } from './command-table.ts';
import { commandHelp, groupHelp, toolHelp } from './help.ts';
import { toJson } from './show.ts';

export const EXIT = { done: 0, refused: 1, misused: 2, unfinished: 3 } as const;

const READ_OPTIONS: Options = {
  json: { type: 'boolean', about: 'Print JSON.' },
};
const CHANGE_OPTIONS: Options = {
  reason: {
    type: 'string',
    value: 'TEXT',
    about: 'Why; it is kept in the audit log. Needed for every change.',
  },
  'dry-run': { type: 'boolean', about: 'Say what would change, and change nothing.' },
  yes: { type: 'boolean', about: 'Do not ask before a change that cannot be undone.' },
  as: { type: 'string', value: 'NAME', about: 'Your name in the audit log, if not that of the system.' },
};
const HELP: Options = { help: { type: 'boolean', about: 'Show this.' } };

function optionsOf(command: Command): Options {
  return { ...command.options, ...(command.kind === 'read' ? READ_OPTIONS : CHANGE_OPTIONS), ...HELP };
}

/** The help text if it was asked for. It needs neither database nor chain. */
export function helpFor(argv: readonly string[]): string | undefined {
  const words = argv.filter((word) => !word.startsWith('-'));
  const isAsked = argv.includes('--help') || argv.includes('-h') || words[0] === 'help';
  const asked = words[0] === 'help' ? words.slice(1) : words;
  const [group, name] = asked;
  if (group === undefined) return toolHelp(COMMANDS);
  const command = findCommand(asked);
  if (command && isAsked) return commandHelp(command, optionsOf(command));
  const inGroup = COMMANDS.filter((one) => one.name.startsWith(`${group} `));
  if (inGroup.length > 0 && (isAsked || name === undefined)) return groupHelp(group, inGroup);
  return isAsked ? toolHelp(COMMANDS) : undefined;
}

/** Checks the arguments of a command before anything is opened for it. */
export function complaintAbout(argv: readonly string[]): string | undefined {
  try {
    parse(argv);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

/** Runs one command to its end and returns the exit code. Errors that an operator can act on are explained. */
export async function runCommand(admin: AdminContext, argv: readonly string[], io: Io): Promise<number> {
  try {
    const help = helpFor(argv);
    if (help !== undefined) {
      io.write(help);
      return EXIT.done;
    }
    const { command, positionals, values } = parse(argv);
    if (!command.ofAnyVersion) await requireMigrations(admin);
    const call: Call = { admin, io, positionals, values };
    if (command.kind === 'read') {
      const { data, lines } = await command.read(call);
      if (call.values['json']) io.write(toJson(data));
      else for (const line of lines) io.write(line);
      return EXIT.done;
    }
    return await change(command.name, await command.prepare(call), call);
  } catch (error) {
    return explain(error, io);
  }
}

async function requireMigrations({ migrations }: AdminContext): Promise<void> {
  const pending = await migrations.pending();
  if (pending.length === 0) return;
  const migrate = 'npm run engulf -- database migrate --reason "…"';
  throw new Refusal(
    pending[0]!.startsWith('0000')
      ? `The database is empty. Create its tables: ${migrate}`
      : `The database belongs to an older version: it lacks ${pending.join(', ')}. Use the tool of that version, or bring it up to date: ${migrate}`,
  );
}

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name === words.slice(0, name.split(' ').length).join(' '));
}

function parse(argv: readonly string[]) {
  const command = findCommand(argv);
  if (!command) {
    const known = COMMANDS.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(({ name }) => name);
    throw new UsageError(
      known.length > 0
        ? `There is no command "${argv.slice(0, 2).join(' ')}". There are: ${known.join(', ')}.`
        : `There is no command "${argv[0]}". Run: npm run engulf -- --help`,
    );
  }
  return { command, ...parseWords(command, argv.slice(command.name.split(' ').length)) };
}

function parseWords(command: Command, args: readonly string[]) {
  const usage = `Run: npm run engulf -- ${command.name} --help`;
  let parsed: { values: Values; positionals: string[] };
  try {
    const options = Object.entries(optionsOf(command)).map(([name, { type, multiple }]) => [
      name,
      { type, ...(multiple && { multiple }) },
    ]);
    parsed = parseArgs({ args: [...args], options: Object.fromEntries(options), allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. ${usage}`);
  }
  const { positionals: wanted } = command;
  const isOpenEnded = wanted.at(-1)?.endsWith('...') ?? false;
  const { positionals } = parsed;
  if (positionals.length < wanted.length) {
    throw new UsageError(`<${wanted[positionals.length]}> is missing. ${usage}`);
  }
  if (positionals.length > wanted.length && !isOpenEnded) {
    throw new UsageError(`"${positionals[wanted.length]}" is one word too many; use quotes. ${usage}`);
  }
  return parsed;
}

async function change(action: string, { lines, confirmation, apply }: Change, call: Call): Promise<number> {
  const { admin, io, values } = call;
  if (lines.length === 0) {
    io.write('Nothing to change: it is so already.');
    return EXIT.done;
  }
  const isDryRun = values['dry-run'] === true;
  const reason = String(values['reason'] ?? '').trim();
  io.write(isDryRun || reason === '' ? 'This would change:' : 'Changes:');
  for (const line of lines) io.write(`  ${line}`);
  if (isDryRun) return EXIT.done;
  if (reason === '') throw new UsageError('--reason "…" is needed: say why. Nothing was changed.');
  await confirm(confirmation, call);
  const actor = String(values['as'] ?? '').trim() || io.actor;
  await applyChange(admin, apply, { actor, action, reason }, (line) => io.write(`✓ ${line}`));
  io.write('Done.');
  return EXIT.done;
}

/** Says what a command would change, for callers that ask for a reason and a confirmation themselves. */
export async function prepareChange(
  admin: AdminContext,
  argv: readonly string[],
  io: Io,
): Promise<{ readonly action: string; readonly change: Change }> {
  const { command, positionals, values } = parse(argv);
  if (command.kind !== 'change') throw new UsageError(`"${command.name}" changes nothing.`);
  await requireMigrations(admin);
  return { action: command.name, change: await command.prepare({ admin, io, positionals, values }) };
}

export async function applyChange(
  admin: AdminContext,
  apply: Change['apply'],
  by: Pick<AuditEntry, 'actor' | 'action' | 'reason' | 'signed'>,
  report: (line: string) => void,
): Promise<void> {
  await apply({
    admin,
    report,
    note: (tx, subject, details = {}) =>
      noteInAudit(tx, admin.nowMs(), { ...by, subject, details: plain(details) }),
  });
}

async function confirm(confirmation: string | undefined, { io, values }: Call): Promise<void> {
  if (confirmation === undefined || values['yes'] === true) return;
  const typed = await io.ask(`This cannot be undone. Type "${confirmation}" to go on: `);
  if (typed === undefined)
    throw new UsageError('This cannot be undone: add --yes to confirm it. Nothing was changed.');
  if (typed.trim() !== confirmation) throw new Refusal('Not confirmed. Nothing was changed.');
}

/** Amounts become strings, because JSON numbers cannot hold them. */
function plain(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(toJson(details)) as Record<string, unknown>;
}

function explain(error: unknown, io: Io): number {
  if (error instanceof UsageError) {
    io.writeError(error.message);
    return EXIT.misused;
  }
  if (error instanceof Unfinished) {
    io.writeError(`${error.message} Run the same command again to go on.`);
    return EXIT.unfinished;
  }
  if (error instanceof Refusal) {
    io.writeError(error.message);
    return EXIT.refused;
  }
  throw error;
}
