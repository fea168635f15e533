import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

type Attribute = { readonly key: string; readonly value: Record<string, unknown> };

export type CollectedSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly isFailure: boolean;
  readonly facts: Record<string, unknown>;
  /** Of the process that sent it. */
  readonly resource: Record<string, unknown>;
};

/** Takes what a collector of OpenTelemetry takes, on loopback. */
export async function startTraceCollector() {
  const spans: CollectedSpan[] = [];
  const requests: { readonly path: string; readonly headers: NodeJS.Dict<string | string[]> }[] = [];
  const collector = { spans, requests, status: 200 };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ path: request.url!, headers: request.headers });
    if (collector.status === 200) spans.push(...readSpans(JSON.parse(Buffer.concat(chunks).toString())));
    response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(collector, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** In the order of their ends. */
    spansOf: (traceId: string) =>
      spans.filter((span) => span.traceId === traceId).toSorted((a, b) => a.endMs - b.endMs),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

export type TraceCollector = Awaited<ReturnType<typeof startTraceCollector>>;

// biome-ignore lint/suspicious/noExplicitAny: what a test receives is what it checks
function readSpans(body: any): CollectedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: never) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    (scopeSpans as any[])
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        startMs: Number(BigInt(span.startTimeUnixNano) / 1_000_000n),
        endMs: Number(BigInt(span.endTimeUnixNano) / 1_000_000n),
        isFailure: span.status?.code === 2,
        facts: toRecord(span.attributes),
        resource: toRecord((resource as { attributes: Attribute[] }).attributes),
      })),
  );
}

function toRecord(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
