import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Logger } from 'pino';
import { z } from 'zod';
import { isSealed, SEAL_HEADER, seal } from './seal.ts';
import { answerSchema, batchSchema, type Signer } from './signer.ts';

/** A batch of ten takes about 3 KB. */
const MAX_BODY_BYTES = 16_384;
const DEADLINE_MS = 5_000;

/**
 * `POST /sign` takes a sealed description and returns a sealed answer, `POST /keys` a sealed question whose claims can be
 * signed here. `GET /healthz` says that the process runs.
 * Everything else is refused with an empty answer.
 */
export function createSignerServer(signer: Signer, secret: string, logger: Logger): Server {
  const server = createServer(async (request, response) => {
    try {
      if (request.method === 'GET' && request.url === '/healthz') return void response.writeHead(200).end();
      const isKnown = request.method === 'POST' && (request.url === '/sign' || request.url === '/keys');
      const body = isKnown ? await readBody(request) : undefined;
      if (body === undefined) return void response.writeHead(404).end();
      if (!isSealed(request.headers[SEAL_HEADER], secret, body)) return void response.writeHead(403).end();
      const reply = (text: string): void => {
        response.writeHead(200, {
          'content-type': 'application/json',
          [SEAL_HEADER]: seal(secret, body, text),
        });
        response.end(text);
      };
      if (request.url === '/keys') return reply(JSON.stringify(await signer.keys()));
      const batch = batchSchema.safeParse(JSON.parse(body));
      if (!batch.success) return void response.writeHead(400).end();
      const answer = await signer.sign(batch.data);
      const { batchId, rewards } = batch.data;
      const { wire: _, ...shown } = answer.kind === 'signed' ? answer : { ...answer, wire: undefined };
      logger.info({ batchId, rewards: rewards.length, answer: shown }, 'asked to sign');
      reply(JSON.stringify(z.encode(answerSchema, answer)));
    } catch (error) {
      logger.error({ code: 'SIGNER_FAILED', err: error }, 'a batch could not be signed');
      response.writeHead(500).end();
    }
  });
  server.requestTimeout = DEADLINE_MS;
  server.headersTimeout = DEADLINE_MS;
  return server;
}

/** Undefined if it is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
