import { userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { verifyCommand } from '@engulf/verify/cli/verify-command';
import { ConfigError, readToolConfig } from '../platform/config/config.ts';
import { DatabaseUnreachable, explainUnreachable } from '../platform/database/unreachable.ts';
import { DataFolderInUse, DataFolderNotPrivate } from '../platform/storage/data-folder.ts';
import { askServer } from './ask-server.ts';
import { type Io, Refusal } from './command.ts';
import { openAdminContext } from './open-admin-context.ts';
import { complaintAbout, EXIT, helpFor, runCommand } from './run-command.ts';
import { SOCKET_NAME } from './serve-socket.ts';

const io: Io = {
  write: (line) => console.log(line),
  writeError: (line) => console.error(line),
  ask: async (question) => {
    if (!process.stdin.isTTY) return undefined;
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return await terminal.question(question);
    } finally {
      terminal.close();
    }
  },
  actor: userInfo().username,
  // npm and the bootstrap change the working directory.
  folder: process.env['INIT_CWD'] ?? process.cwd(),
};

/** Returns the code to exit with. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  try {
    return await run(argv);
  } catch (thrown) {
    const error = explainUnreachable(thrown);
    console.error(isExplained(error) ? error.message : error);
    return EXIT.refused;
  }
}

async function run(argv: readonly string[]): Promise<number> {
  // Needs neither database nor key: anyone can run this check.
  if (argv[0] === 'verify') return verifyCommand(argv.slice(1), process.env['PUBLIC_URL']);
  const help = helpFor(argv);
  if (help !== undefined) {
    io.write(help);
    return EXIT.done;
  }
  const complaint = complaintAbout(argv);
  if (complaint !== undefined) {
    io.writeError(complaint);
    return EXIT.misused;
  }
  const config = readToolConfig(process.env);
  let opened: Awaited<ReturnType<typeof openAdminContext>>;
  try {
    opened = await openAdminContext(config);
  } catch (error) {
    if (error instanceof DataFolderInUse) return askServer(join(config.dataDir, SOCKET_NAME), argv, io);
    throw error;
  }
  try {
    return await runCommand(opened.admin, argv, io);
  } finally {
    await opened.close();
  }
}

/** Errors whose message says what to do. All others are printed with their stack. */
function isExplained(error: unknown): error is Error {
  return [ConfigError, DatabaseUnreachable, DataFolderNotPrivate, Refusal].some(
    (kind) => error instanceof kind,
  );
}
