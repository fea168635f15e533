import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { stringifyJsonWithBigInts } from '@solana/rpc-spec-types';
import { WebSocket, WebSocketServer } from 'ws';
import type { Sequencer } from '../journal/sequencer.ts';
import { failure, RPC_ERROR, readRequest, replyText } from '../node/json-rpc.ts';
import { isAllowedOrigin } from './allowed-origins.ts';
import type { SignatureSubscriptions } from './signature-subscriptions.ts';

type WsServer = {
  close(): Promise<void>;
};

type WsServerDeps = {
  readonly host: string;
  readonly port: number;
  readonly pageOrigins: readonly string[];
  readonly upstreamUrl: string;
  readonly sequencer: Sequencer;
  readonly signatures: SignatureSubscriptions;
};

/** The chain's WebSocket endpoint: one Surfpool socket behind each client's. */
export async function startWsServer(deps: WsServerDeps): Promise<WsServer> {
  const server = new WebSocketServer({
    host: deps.host,
    port: deps.port,
    // Browsers let any page open any socket; only the server can refuse.
    verifyClient: ({ req }: { req: IncomingMessage }) =>
      isAllowedOrigin(req.headers.origin, deps.pageOrigins),
  });
  await once(server, 'listening');
  server.on('connection', (client) => serveClient(client, deps));
  return {
    close: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

function serveClient(client: WebSocket, { upstreamUrl, sequencer, signatures }: WsServerDeps): void {
  const upstream = new WebSocket(upstreamUrl);
  const opened = once(upstream, 'open');
  opened.catch(() => client.close());
  const ownSubscriptions = new Set<number>();

  const send = (text: string): void => {
    if (client.readyState === WebSocket.OPEN) client.send(text);
  };
  const notify = (message: object): void => send(stringifyJsonWithBigInts(message));

  // Each message waits for the journal and for the message before it.
  let outbox: Promise<void> = Promise.resolve();
  upstream.on('message', (data) => {
    const text = data.toString();
    outbox = outbox
      .then(() => sequencer.durable())
      .then(
        () => send(text),
        () => client.close(),
      );
  });
  upstream.on('close', () => client.close());
  upstream.on('error', () => client.close());

  client.on('message', (data) => {
    const text = data.toString();
    const request = readRequest(parseOrUndefined(text));
    if (!request) return send(replyText(null, failure(RPC_ERROR.invalidRequest, 'Invalid request')));
    const { id, method, params } = request;
    if (method === 'ping') return;
    if (method === 'signatureSubscribe') {
      const subscription = signatures.subscribe(params, notify);
      ownSubscriptions.add(subscription);
      return send(replyText(id, { result: subscription }));
    }
    if (method === 'signatureUnsubscribe') {
      const subscription = Number(params[0]);
      const isOwn = ownSubscriptions.delete(subscription);
      return send(replyText(id, { result: isOwn && signatures.unsubscribe(subscription) }));
    }
    if (!/^[a-z]+(Uns|S)ubscribe$/.test(method)) {
      return send(replyText(id, failure(RPC_ERROR.methodNotFound, `Method not found: ${method}`)));
    }
    opened.then(() => upstream.send(text)).catch(() => client.close());
  });
  client.on('error', () => client.terminate());
  client.on('close', () => {
    for (const subscription of ownSubscriptions) signatures.unsubscribe(subscription);
    upstream.terminate();
  });
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
