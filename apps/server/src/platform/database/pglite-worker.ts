import { flushCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type Results, type Transaction } from '@electric-sql/pglite';

/*
 * Hosts the embedded database in a thread of its own: PGlite blocks the event loop while its queue drains, and matches
 * step on the main thread. The other side is pglite-client.ts.
 */

export type DatabaseRequest =
  | {
      readonly kind: 'query';
      /** The transaction that the query belongs to. */
      readonly transaction: number | undefined;
      readonly text: string;
      readonly params: readonly unknown[] | undefined;
      readonly rowMode: 'array' | 'object' | undefined;
      /** Types whose values are left as PostgreSQL writes them. */
      readonly textTypes: readonly number[];
    }
  | { readonly kind: 'begin' | 'commit' | 'rollback'; readonly transaction: number }
  | { readonly kind: 'close' };

/** An error as plain data: a thread receives only the message of an error, not the fields of PostgreSQL's. */
export type ErrorFields = { readonly message: string; readonly [field: string]: string | number };

/** The first reply, to request 0, says that the database is open. */
export type DatabaseReply = { readonly id: number } & (
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: ErrorFields }
);

type OpenTransaction = {
  readonly tx: Transaction;
  end(how: 'commit' | 'rollback'): Promise<void>;
};

/** A game on one machine has little data, and PostgreSQL would set aside 128 MB for it. */
const SMALL_BUFFERS = ['-c', 'shared_buffers=8MB', '-c', 'max_connections=10'];

const db = await PGlite.create({
  dataDir: (workerData as { folder: string }).folder,
  startParams: [...PGlite.defaultStartParams, ...SMALL_BUFFERS],
});
const transactions = new Map<number, OpenTransaction>();
const running = new Set<Promise<void>>();

parentPort!.on('message', ({ id, request }: { id: number; request: DatabaseRequest }) => {
  const job = answer(request).then(
    (value) => reply({ id, value }),
    (error: unknown) => reply({ id, error: fieldsOf(error) }),
  );
  if (request.kind === 'close') return;
  running.add(job);
  job.then(() => running.delete(job));
});
reply({ id: 0, value: undefined });
flushCompileCache();

function reply(message: DatabaseReply): void {
  parentPort!.postMessage(message);
}

async function answer(request: DatabaseRequest): Promise<unknown> {
  switch (request.kind) {
    case 'query':
      return runQuery(request);
    case 'begin':
      transactions.set(request.transaction, await begin());
      return undefined;
    case 'commit':
    case 'rollback': {
      const open = findTransaction(request.transaction);
      transactions.delete(request.transaction);
      return open.end(request.kind);
    }
    case 'close':
      await Promise.all(running);
      return db.close();
  }
}

function runQuery(request: Extract<DatabaseRequest, { kind: 'query' }>): Promise<Results> {
  const { transaction, text, params, rowMode, textTypes } = request;
  const target = transaction === undefined ? db : findTransaction(transaction).tx;
  const parsers = Object.fromEntries(textTypes.map((type) => [type, (value: string) => value]));
  return target.query(text, params && [...params], { parsers, ...(rowMode && { rowMode }) });
}

function findTransaction(number: number): OpenTransaction {
  const open = transactions.get(number);
  if (!open) throw new Error('The transaction has ended');
  return open;
}

class RolledBack extends Error {}

/** Resolves once PGlite has granted exclusive access, which lasts until `end`. */
function begin(): Promise<OpenTransaction> {
  const begun = Promise.withResolvers<OpenTransaction>();
  const ending = Promise.withResolvers<void>();
  const ended = db.transaction(async (tx) => {
    begun.resolve({ tx, end });
    await ending.promise;
  });
  ended.catch(begun.reject);
  const end = async (how: 'commit' | 'rollback') => {
    if (how === 'commit') ending.resolve();
    else ending.reject(new RolledBack());
    await ended.catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error;
    });
  };
  return begun.promise;
}

function fieldsOf(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { message: String(error) };
  const fields = Object.entries(error).filter(([, value]) => /^(string|number)$/.test(typeof value));
  return { ...Object.fromEntries(fields), name: error.name, message: error.message };
}
