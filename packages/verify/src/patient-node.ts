import { createSolanaRpcFromTransport, type RpcTransport } from '@solana/kit';

/*
 * Public nodes allow a few dozen calls in ten seconds, and refuse the rest for a while. Calls are put together into one
 * request where the node takes that, and repeated after a refusal.
 */

const MOST_IN_ONE_REQUEST = 20;
const PARALLEL_REQUESTS = 2;
const TRIES = 7;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** Of JSON-RPC: too many requests, and a node that is behind or overloaded. */
const REFUSED_CODES = [429, -32005];

type Call = {
  readonly payload: { readonly id: unknown };
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};

type NodeOptions = { readonly send?: typeof fetch; readonly wait?: (ms: number) => Promise<unknown> };

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A node of the reader's choice. */
export function openNode(url: string, { send = fetch, wait = sleep }: NodeOptions = {}) {
  const waiting: Call[] = [];
  let busy = 0;
  let mostAtOnce = MOST_IN_ONE_REQUEST;

  const post = async (calls: readonly Call[]): Promise<void> => {
    const payloads = calls.map(({ payload }) => payload);
    let left = [...calls];
    for (let attempt = 1; left.length > 0; attempt++) {
      const isLast = attempt === TRIES;
      let retryAfterMs = 0;
      try {
        const asked = left.length === 1 ? left[0]!.payload : left.map(({ payload }) => payload);
        const response = await send(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(asked, toPlainNumbers),
        });
        if (response.ok) left = settle(left, await response.json(), isLast);
        else if (isRefusal(response.status))
          retryAfterMs = 1000 * Number(response.headers.get('retry-after') ?? 0);
        else throw new NodeAnswer(response.status);
      } catch (error) {
        if (left.length > 1 && !(error instanceof TypeError)) {
          // It does not take several calls at once.
          mostAtOnce = 1;
          waiting.unshift(...left);
          return;
        }
        if (isLast || error instanceof NodeAnswer) return rejectAll(left, error);
      }
      if (left.length === 0) return;
      if (isLast) return rejectAll(left, new Error(`The node refuses ${payloads.length} calls`));
      await wait(Math.min(LONGEST_WAIT_MS, Math.max(retryAfterMs, FIRST_WAIT_MS * 2 ** (attempt - 1))));
    }
  };

  const work = async (): Promise<void> => {
    if (busy >= PARALLEL_REQUESTS) return;
    busy++;
    while (waiting.length > 0) await post(waiting.splice(0, mostAtOnce));
    busy--;
  };

  const transport = ((request: { readonly payload: unknown }) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.push({ payload: request.payload as Call['payload'], resolve, reject });
      // Later in this turn, so that calls that are made together leave together.
      queueMicrotask(() => void Promise.resolve().then(work));
    })) as RpcTransport;
  return createSolanaRpcFromTransport(transport);
}

class NodeAnswer extends Error {
  constructor(status: number) {
    super(`The node answers ${status}`);
  }
}

const isRefusal = (status: number) => status === 429 || status === 503;

/** Answers the calls that were answered, and returns those that were refused. */
function settle(calls: readonly Call[], body: unknown, isLast: boolean): Call[] {
  if (calls.length > 1 && !Array.isArray(body))
    throw new Error('The node does not take several calls at once');
  const answers = new Map(
    (Array.isArray(body) ? body : [body]).map((answer) => [String(answer?.id), answer]),
  );
  return calls.filter(({ payload, resolve }) => {
    const answer = answers.get(String(payload.id));
    if (answer === undefined || (!isLast && REFUSED_CODES.includes(answer.error?.code))) return true;
    resolve(answer);
    return false;
  });
}

function rejectAll(calls: readonly Call[], error: unknown): void {
  for (const { reject } of calls) reject(error);
}

function toPlainNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
