import { sql } from 'drizzle-orm';
import { type AdminContext, type Io, NOTHING_PENDING } from '../../src/admin/command.ts';
import { runCommand } from '../../src/admin/run-command.ts';
import type { Context } from '../../src/platform/context.ts';

type Outcome = { readonly code: number; readonly output: string; readonly errors: string };

export type Operator = {
  /** Runs a command to its end. */
  run(...argv: readonly string[]): Promise<Outcome>;
  /** Runs a command and kills it after that many steps. False if it ended before. */
  runAndKill(afterSteps: number, argv: readonly string[]): Promise<boolean>;
  /** What is typed when a command asks. */
  answer: string | undefined;
  /** Runs in every pause of a command. */
  onPause: () => Promise<void>;
};

class Killed extends Error {}

const REASON = ['--reason', 'a test'];

export function createOperator(context: Context): Operator {
  const admin: AdminContext = {
    ...context,
    openChain: async () => context.chain,
    migrations: NOTHING_PENDING,
    limitedTokens: [],
    pause: async (ms) => {
      await operator.onPause();
      await new Promise((done) => setTimeout(done, Math.min(ms, 50)));
    },
  };
  const operator: Operator = {
    answer: undefined,
    onPause: async () => undefined,
    run: async (...argv) => {
      const [output, errors]: [string[], string[]] = [[], []];
      const io = newIo(
        operator,
        (line) => output.push(line),
        (line) => errors.push(line),
      );
      const code = await runCommand(admin, argv, io);
      return { code, output: output.join('\n'), errors: errors.join('\n') };
    },
    runAndKill: async (afterSteps, argv) => {
      let steps = 0;
      const write = (line: string) => {
        if (line.startsWith('✓') && ++steps === afterSteps) throw new Killed();
      };
      try {
        await runCommand(
          admin,
          [...argv, ...REASON, '--yes'],
          newIo(operator, write, () => undefined),
        );
        return false;
      } catch (error) {
        if (error instanceof Killed) return true;
        throw error;
      }
    },
  };
  return operator;
}

function newIo(operator: Operator, write: Io['write'], writeError: Io['writeError']): Io {
  return { write, writeError, ask: async () => operator.answer, actor: 'ann', folder: process.cwd() };
}

/** Every row of every table, as text. */
export async function dumpDatabase({ db }: Context): Promise<string> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.tables where table_schema = 'public' order by 1`,
  );
  const dumps: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.execute(
      sql`select row_to_json(t)::text as row from ${sql.identifier(name)} t order by 1`,
    );
    dumps.push(`${name}: ${JSON.stringify(rows)}`);
  }
  return dumps.join('\n');
}
