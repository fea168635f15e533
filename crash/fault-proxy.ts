import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, createWeather, type RpcRequest, type Weather } from './node-weather.ts';
import type { Random } from './random.ts';

/** Moments around a transaction at which the caller may want to kill the server. */
export type Moment = 'before' | 'after';

export type FaultProxy = {
  readonly url: string;
  readonly weather: Weather;
  /** Requests that were delayed, dropped, doubled, refused or answered wrongly. */
  readonly faults: { count: number };
  close(): void;
};

/**
 * Stands between the server and a good node and behaves like a bad one. `onRequest` is told before a request reaches
 * the node and before its answer reaches the server.
 */
export async function startFaultProxy(
  nodeUrl: string,
  random: Random,
  onRequest: (method: string, moment: Moment) => void,
): Promise<FaultProxy> {
  const faults = { count: 0 };
  const weather = createWeather(random, async (method) => (await ask(nodeUrl, method, [])).result as number);
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const call = JSON.parse(body) as RpcRequest;
    const fault = weather.faultFor(call.method);
    if (fault !== 'none') faults.count++;
    if (fault === 'drop') return void response.destroy();
    if (fault === 'tooMany') return void response.writeHead(429, { 'retry-after': '1' }).end('slow down');
    if (fault === 'unavailable') return void response.writeHead(503).end('try later');
    if (fault === 'delay') await sleep(random.between(200, 4_000));
    onRequest(call.method, 'before');
    if (fault === 'double') void forward(nodeUrl, body).catch(() => undefined);
    const answer = await forward(nodeUrl, body);
    onRequest(call.method, 'after');
    // The request arrived, its answer is lost.
    if (fault === 'deaf') return void response.destroy();
    const shown = await weather.distort(call, answer);
    if (shown !== answer) faults.count++;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(shown));
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    weather,
    faults,
    close: () => {
      weather.stop();
      server.closeAllConnections();
      server.close();
    },
  };
}

async function forward(nodeUrl: string, body: string): Promise<Answer> {
  const answer = await fetch(nodeUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await answer.json()) as Answer;
}

/** Asks the node directly. */
export async function ask(nodeUrl: string, method: string, params: unknown[]): Promise<Answer> {
  return forward(nodeUrl, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
