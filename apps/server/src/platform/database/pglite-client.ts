import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PGlite } from '@electric-sql/pglite';
import type { DatabaseReply, DatabaseRequest, ErrorFields } from './pglite-worker.ts';

type Query = (
  text: string,
  params?: unknown[],
  options?: { readonly rowMode?: 'array' | 'object'; readonly parsers?: object },
) => Promise<unknown>;

/** What drizzle needs of PGlite. */
type EmbeddedClient = {
  readonly query: Query;
  transaction<Value>(work: (tx: { readonly query: Query }) => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
};

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

/**
 * Opens the embedded database in a thread of its own. If that thread dies, everything that waits for it is rejected
 * and `onLost` is called.
 */
export async function openPgliteThread(folder: string, onLost: (error: Error) => void): Promise<PGlite> {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  const worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), {
    workerData: { folder },
    // Not the flags of the main thread, which may name a debugger's port or a script.
    execArgv: [],
  });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let end: Error | undefined;
  const opened = Promise.withResolvers<unknown>();
  waiting.set(0, opened);

  worker.on('message', (reply: DatabaseReply) => {
    const caller = waiting.get(reply.id);
    waiting.delete(reply.id);
    if (reply.error) caller?.reject(restoreError(reply.error));
    else caller?.resolve(reply.value);
  });
  const fail = (error: Error) => {
    const isLost = end === undefined && !waiting.has(0);
    end ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    if (isLost) onLost(error);
  };
  worker.on('error', (cause) => fail(new Error('The embedded database has failed', { cause })));
  worker.on('exit', (code) => fail(new Error(`The thread of the embedded database ended with ${code}`)));

  const ask = async (request: DatabaseRequest): Promise<unknown> => {
    if (end) throw end;
    const id = ++lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    worker.postMessage({ id, request });
    waiting.set(id, { resolve, reject });
    return promise;
  };
  await opened.promise;
  return createClient(ask, async () => {
    if (end) return;
    const closed = ask({ kind: 'close' });
    end = new Error('The database is closed');
    try {
      await closed;
    } finally {
      await worker.terminate();
    }
  }) as unknown as PGlite;
}

function createClient(
  ask: (request: DatabaseRequest) => Promise<unknown>,
  close: () => Promise<void>,
): EmbeddedClient {
  const queryIn =
    (transaction: number | undefined): Query =>
    (text, params, { rowMode, parsers = {} } = {}) => {
      // Functions do not cross threads. All of drizzle's parsers leave the text as it is, so their types suffice.
      const textTypes = Object.keys(parsers).map(Number);
      return ask({ kind: 'query', transaction, text, params, rowMode, textTypes });
    };
  let transactions = 0;
  return {
    query: queryIn(undefined),
    transaction: async (work) => {
      const transaction = ++transactions;
      await ask({ kind: 'begin', transaction });
      let value: Awaited<ReturnType<typeof work>>;
      try {
        value = await work({ query: queryIn(transaction) });
      } catch (error) {
        // If the thread is gone, so is the transaction.
        await ask({ kind: 'rollback', transaction }).catch(() => undefined);
        throw error;
      }
      await ask({ kind: 'commit', transaction });
      return value;
    },
    close,
  };
}

/** With the fields of PostgreSQL's errors, which callers check. The stack is the caller's. */
function restoreError(fields: ErrorFields): Error {
  return Object.assign(new Error(fields.message), fields);
}
