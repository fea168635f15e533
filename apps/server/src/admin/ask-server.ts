import { once } from 'node:events';
import { connect } from 'node:net';
import { type Io, Refusal } from './command.ts';
import { outputSchema, readMessages, sendMessage } from './socket-messages.ts';

/** Runs a command in the server that holds the data folder, and shows its output here. */
export async function askServer(path: string, argv: readonly string[], io: Io): Promise<number> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (cause) {
    throw new Refusal(
      'The process that uses the data folder does not answer. It may be starting: try again.',
      {
        cause,
      },
    );
  }
  const messages = readMessages(socket);
  sendMessage(socket, { argv: [...argv], actor: io.actor, folder: io.folder });
  try {
    for (let next = await messages.next(); !next.done; next = await messages.next()) {
      const output = outputSchema.parse(JSON.parse(next.value));
      if (output.kind === 'exit') return output.code;
      if (output.kind === 'line') io.write(output.line);
      else if (output.kind === 'error') io.writeError(output.line);
      else sendMessage(socket, { answer: (await io.ask(output.question)) ?? null });
    }
  } finally {
    socket.destroy();
  }
  throw new Refusal('The server ended before the command did. Start it and run the same command again.');
}
