import { DatabaseSync } from 'node:sqlite';
import type { AccountState } from '../node/surfpool.ts';

export type LandedTransaction = {
  readonly signature: string;
  readonly slot: bigint;
  readonly blockTimeSeconds: bigint;
  /** The node's error as JSON text, null for success. */
  readonly error: string | null;
  readonly wire: Uint8Array;
  /** `getTransaction` results as JSON text, in the two encodings that cannot be derived from each other. */
  readonly json: string;
  readonly jsonParsed: string;
};

type AddressHistoryQuery = {
  readonly address: string;
  readonly newestSlot: bigint;
  readonly before?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
};

/** A transaction's effect on the chain, written in one commit. */
export type Landing = {
  readonly transaction: LandedTransaction;
  readonly mentioned: readonly string[];
  readonly changed: readonly AccountState[];
  readonly closed: readonly string[];
};

export type Journal = {
  append(landing: Landing): void;
  find(signature: string): LandedTransaction | undefined;
  historyOf(query: AddressHistoryQuery): LandedTransaction[];
  accounts(): Iterable<AccountState>;
  isEmpty(): boolean;
  putGenesisAccount(account: AccountState): void;
  /** The hash of a block that somebody has asked for. */
  blockhashOf(slot: bigint): string | undefined;
  putBlockhash(slot: bigint, blockhash: string): void;
  /** Slots up to this one may have been shown to someone. Zero before the first start. */
  reservedSlot(): bigint;
  reserveSlots(upTo: bigint): void;
  close(): void;
};

/**
 * The chain's state across restarts. Each append is one synced commit. The file is locked exclusively, because a second
 * process on the same folder would fork the chain. The lock ends with its process.
 */
export function openJournal(path: string): Journal {
  const db = new DatabaseSync(path, { readBigInts: true });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE');
    db.exec('PRAGMA journal_mode = WAL');
    db.exec('PRAGMA synchronous = FULL');
    db.exec(SCHEMA);
  } catch (cause) {
    db.close();
    throw new Error(`The chain's journal ${path} cannot be opened. Is another process running on it?`, {
      cause,
    });
  }

  const insertTransaction = db.prepare(
    'INSERT INTO transactions (signature, slot, blockTimeSeconds, error, wire, json, jsonParsed) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertMention = db.prepare('INSERT INTO mentions (address, sequence) VALUES (?, ?)');
  const putAccount = db.prepare(
    'INSERT OR REPLACE INTO accounts (address, lamports, owner, executable, data) VALUES (?, ?, ?, ?, ?)',
  );
  const deleteAccount = db.prepare('DELETE FROM accounts WHERE address = ?');
  const selectAccounts = db.prepare('SELECT address, lamports, owner, executable, data FROM accounts');
  const selectBySignature = db.prepare('SELECT * FROM transactions WHERE signature = ?');
  const selectHistory = db.prepare(HISTORY_QUERY);
  const selectBlock = db.prepare('SELECT blockhash FROM blocks WHERE slot = ?');
  const insertBlock = db.prepare('INSERT OR IGNORE INTO blocks (slot, blockhash) VALUES (?, ?)');
  const selectReserved = db.prepare('SELECT upTo FROM reservedSlots');
  const updateReserved = db.prepare('UPDATE reservedSlots SET upTo = ? WHERE upTo < ?');

  const put = (account: AccountState): void => {
    const { address, lamports, owner, executable, data } = account;
    putAccount.run(address, lamports, owner, executable ? 1 : 0, data);
  };
  const sequenceOf = (signature: string | undefined): bigint | null => {
    if (signature === undefined) return null;
    const row = selectBySignature.get(signature) as { sequence: bigint } | undefined;
    return row?.sequence ?? null;
  };

  return {
    append: ({ transaction, mentioned, changed, closed }) => {
      db.exec('BEGIN');
      try {
        const { signature, slot, blockTimeSeconds, error, wire, json, jsonParsed } = transaction;
        const { lastInsertRowid } = insertTransaction.run(
          signature,
          slot,
          blockTimeSeconds,
          error,
          wire,
          json,
          jsonParsed,
        );
        for (const address of new Set(mentioned)) insertMention.run(address, lastInsertRowid);
        for (const account of changed) put(account);
        for (const address of closed) deleteAccount.run(address);
        db.exec('COMMIT');
      } catch (cause) {
        db.exec('ROLLBACK');
        throw cause;
      }
    },
    find: (signature) => selectBySignature.get(signature) as LandedTransaction | undefined,
    historyOf: ({ address, newestSlot, before, until, limit }) =>
      selectHistory.all({
        address,
        newestSlot,
        before: sequenceOf(before),
        until: sequenceOf(until),
        limit,
      }) as unknown as LandedTransaction[],
    accounts: function* () {
      for (const row of selectAccounts.iterate()) {
        const { executable, ...rest } = row as unknown as AccountRow;
        yield { ...rest, executable: executable === 1n };
      }
    },
    isEmpty: () => db.prepare('SELECT 1 FROM accounts LIMIT 1').get() === undefined,
    putGenesisAccount: put,
    blockhashOf: (slot) => (selectBlock.get(slot) as { blockhash: string } | undefined)?.blockhash,
    putBlockhash: (slot, blockhash) => {
      insertBlock.run(slot, blockhash);
    },
    reservedSlot: () => (selectReserved.get() as { upTo: bigint }).upTo,
    reserveSlots: (upTo) => {
      updateReserved.run(upTo, upTo);
    },
    close: () => db.close(),
  };
}

type AccountRow = Omit<AccountState, 'executable'> & { readonly executable: bigint };

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS accounts (
    address TEXT PRIMARY KEY,
    lamports INTEGER NOT NULL,
    owner TEXT NOT NULL,
    executable INTEGER NOT NULL,
    data BLOB NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS transactions (
    sequence INTEGER PRIMARY KEY,
    signature TEXT NOT NULL UNIQUE,
    slot INTEGER NOT NULL,
    blockTimeSeconds INTEGER NOT NULL,
    error TEXT,
    wire BLOB NOT NULL,
    json TEXT NOT NULL,
    jsonParsed TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS mentions (
    address TEXT NOT NULL,
    sequence INTEGER NOT NULL REFERENCES transactions,
    PRIMARY KEY (address, sequence)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS blocks (
    slot INTEGER PRIMARY KEY,
    blockhash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS reservedSlots (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 0),
    upTo INTEGER NOT NULL
  ) STRICT;
  INSERT OR IGNORE INTO reservedSlots (singleton, upTo) VALUES (0, 0);
`;

const HISTORY_QUERY = `
  SELECT transactions.* FROM mentions JOIN transactions USING (sequence)
  WHERE mentions.address = :address
    AND transactions.slot <= :newestSlot
    AND (:before IS NULL OR sequence < :before)
    AND (:until IS NULL OR sequence > :until)
  ORDER BY sequence DESC LIMIT :limit
`;
