import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/*
 * What the tool and the server that holds the data folder say to each other: one JSON object per line.
 */

const MAX_WORDS = 2_000;
const MAX_TEXT = 20_000;
const text = z.string().max(MAX_TEXT);

/** Comes first; answers to questions follow. */
export const callSchema = z.object({
  argv: z.array(text).max(MAX_WORDS),
  actor: z.string().min(1).max(100),
  folder: text,
});
export const replySchema = z.object({ answer: text.nullable() });

export const outputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('line'), line: z.string() }),
  z.object({ kind: z.literal('error'), line: z.string() }),
  z.object({ kind: z.literal('question'), question: z.string() }),
  z.object({ kind: z.literal('exit'), code: z.number().int() }),
]);

export type AdminCall = z.output<typeof callSchema>;
export type AdminReply = z.output<typeof replySchema>;
export type AdminOutput = z.output<typeof outputSchema>;

export function sendMessage(socket: Socket, message: AdminCall | AdminReply | AdminOutput): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

export function readMessages(socket: Socket): AsyncIterator<string> {
  return createInterface({ input: socket, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
}
