import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { type AdminContext, adminContextOf, type Io } from './command.ts';
import { EXIT, runCommand } from './run-command.ts';
import { callSchema, readMessages, replySchema, sendMessage } from './socket-messages.ts';

export const SOCKET_NAME = 'admin.sock';
const CLOSE_WITHIN_MS = 2_000;

/**
 * Lets the operator's tool run commands in the process that holds an embedded database. The file system decides who
 * may connect: only the user of this process can open the folder and the socket.
 */
export async function serveAdminSocket(
  context: Context,
  { dataDir, payouts }: Pick<Config, 'dataDir' | 'payouts'>,
): Promise<{ close(): Promise<void> }> {
  const path = join(dataDir, SOCKET_NAME);
  // Left by a process that was killed; the folder's lock says that nobody uses it.
  rmSync(path, { force: true });
  const admin = adminContextOf(context, payouts);
  const running = new Set<Promise<void>>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const ended = serve(admin, socket)
      .catch((error: unknown) =>
        context.logger.error({ code: 'ADMIN_COMMAND_FAILED', err: error }, 'an operator command failed'),
      )
      .finally(() => {
        socket.end();
        sockets.delete(socket);
        running.delete(ended);
      });
    running.add(ended);
  });
  server.listen(path);
  try {
    await once(server, 'listening');
    chmodSync(path, 0o600);
  } catch (error) {
    // The path may be too long for a socket. The server can run without it.
    context.logger.error(
      { code: 'ADMIN_SOCKET_CLOSED', err: error, path },
      'the tool cannot reach this server',
    );
  }
  return {
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroySoon();
      // A command can be interrupted anywhere, so a long one does not hold up the shutdown.
      await Promise.race([Promise.all(running), admin.pause(CLOSE_WITHIN_MS)]);
      rmSync(path, { force: true });
    },
  };
}

async function serve(admin: AdminContext, socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  const messages = readMessages(socket);
  const first = await messages.next();
  if (first.done) return;
  const { argv, actor, folder } = callSchema.parse(JSON.parse(first.value));
  const io: Io = {
    actor,
    folder,
    write: (line) => sendMessage(socket, { kind: 'line', line }),
    writeError: (line) => sendMessage(socket, { kind: 'error', line }),
    ask: async (question) => {
      sendMessage(socket, { kind: 'question', question });
      const reply = await messages.next();
      return reply.done ? undefined : (replySchema.parse(JSON.parse(reply.value)).answer ?? undefined);
    },
  };
  try {
    sendMessage(socket, { kind: 'exit', code: await runCommand(admin, argv, io) });
  } catch (error) {
    sendMessage(socket, {
      kind: 'error',
      line: `It failed: ${(error as Error).message}. The server's log has more.`,
    });
    sendMessage(socket, { kind: 'exit', code: EXIT.refused });
    throw error;
  }
}
