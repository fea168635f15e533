import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Sequencer } from '../journal/sequencer.ts';
import { failure, RPC_ERROR, type RpcRequest, readRequest, replyText, resultText } from '../node/json-rpc.ts';
import type { Surfpool } from '../node/surfpool.ts';
import { isAllowedOrigin } from './allowed-origins.ts';
import type { AnswerMethod } from './journal-answers.ts';

const MAX_BODY_BYTES = 1_000_000;

type RpcServer = {
  close(): Promise<void>;
};

/** The chain's HTTP endpoint. Methods that are not given here go to Surfpool if they only read. */
export async function startRpcServer(deps: {
  host: string;
  port: number;
  pageOrigins: readonly string[];
  surfpool: Surfpool;
  sequencer: Sequencer;
  methods: Readonly<Record<string, AnswerMethod>>;
}): Promise<RpcServer> {
  const { surfpool, sequencer, methods } = deps;

  const answer = async (value: unknown): Promise<string> => {
    const request = readRequest(value);
    if (!request) return replyText(null, failure(RPC_ERROR.invalidRequest, 'Invalid request'));
    try {
      return await answerRequest(request, value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return replyText(request.id, failure(RPC_ERROR.internal, message));
    }
  };
  const answerRequest = async (request: RpcRequest, original: unknown): Promise<string> => {
    const method = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    if (method) {
      const outcome = await method(request.params);
      return 'error' in outcome ? replyText(request.id, outcome) : resultText(request.id, outcome.resultJson);
    }
    if (!onlyReads(request.method)) {
      return replyText(request.id, failure(RPC_ERROR.methodNotFound, `Method not found: ${request.method}`));
    }
    const reply = await surfpool.forward(JSON.stringify(original));
    await sequencer.durable();
    return reply;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { origin } = request.headers;
    // A browser runs a plain POST without asking first, so an unknown page must be refused, not just left without headers.
    if (!isAllowedOrigin(origin, deps.pageOrigins)) return void response.writeHead(403).end();
    if (origin !== undefined) allowPage(origin, request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    response.setHeader('content-type', 'application/json');
    response.end(await answerBody(body, answer));
  };
  const server = createServer((request, response) => {
    // Only the connection itself can fail here, and then there is nobody to tell.
    serve(request, response).catch(() => response.destroy());
  });
  // Only clients close idle connections: one that the server closes may just be carrying the next request, which then fails.
  server.keepAliveTimeout = 0;
  server.listen(deps.port, deps.host);
  await once(server, 'listening');
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * Surfpool's cheat codes and its own airdrop change accounts without the journal. They are refused, as is every other
 * method that is not known to only read.
 */
function onlyReads(method: string): boolean {
  return /^(get|is)[A-Z]/.test(method) || method === 'simulateTransaction' || method === 'minimumLedgerSlot';
}

async function answerBody(body: string, answer: (value: unknown) => Promise<string>): Promise<string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return replyText(null, failure(RPC_ERROR.parse, 'Parse error'));
  }
  if (!Array.isArray(parsed)) return answer(parsed);
  const replies: string[] = [];
  for (const value of parsed) replies.push(await answer(value));
  return `[${replies.join(',')}]`;
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function allowPage(origin: string, request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('vary', 'origin');
  response.setHeader('access-control-allow-methods', 'POST, OPTIONS');
  response.setHeader(
    'access-control-allow-headers',
    request.headers['access-control-request-headers'] ?? 'content-type',
  );
  response.setHeader('access-control-max-age', '86400');
}
