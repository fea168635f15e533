import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isAddress } from '@solana/kit';
import { z } from 'zod';
import { refusalSchema } from './signer.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, type LogAccess, type LogEntry, type SignerLog } from './signer-log.ts';

const bigintText = z.codec(z.string().regex(/^\d+$/), z.bigint(), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
});

const lineSchema = z.strictObject({
  batchId: z.string(),
  descriptionHash: z.string(),
  lobbyId: bigintText,
  /** Logs from before have none. */
  number: bigintText.nullable().default(null),
  mint: z
    .custom<NonNullable<LogEntry['mint']>>((value) => typeof value === 'string' && isAddress(value))
    .nullable(),
  amount: bigintText,
  payoutIds: z.array(z.string()),
  lastValidBlockHeight: bigintText,
  refusal: refusalSchema.nullable(),
  at: z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  }),
});

const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * The log of a signer that has nothing but its key and a folder: one line per batch, on the disk before it is signed.
 * It does not see the chain, so everything that was signed counts, landed or not.
 */
export function openFileLog(path: string, nowMs: () => number): SignerLog & { close(): void } {
  const entries = new Map(
    readEntries(path)
      .filter(({ at }) => at.getTime() > nowMs() - KEPT_MS)
      .map((entry) => [entry.batchId, entry]),
  );
  rewrite(path, [...entries.values()]);
  const file = openSync(path, 'a', 0o600);
  let last: Promise<unknown> = Promise.resolve();
  const access: LogAccess = {
    find: async (batchId) => entries.get(batchId),
    spentSince: async (since, { lobbyId, mint }) => {
      const counted = [...entries.values()].filter(
        (entry) => entry.refusal === null && entry.mint === mint && entry.at > since,
      );
      const byLobby = counted.filter((entry) => entry.lobbyId === lobbyId);
      return { byLobby: sum(byLobby), inTotal: sum(counted) };
    },
    hasOrdered: async (lobbyId) =>
      [...entries.values()].some(
        (entry) => entry.refusal === null && entry.number !== null && entry.lobbyId === lobbyId,
      ),
    hasSigned: async ({ lobbyId, number, payoutIds, lastValidBlockHeight }) =>
      [...entries.values()].some(
        (entry) =>
          entry.refusal === null &&
          !(number !== null && entry.number === number && entry.lobbyId === lobbyId) &&
          entry.payoutIds.some((id) => payoutIds.includes(id)) &&
          // The new blockhash is not younger than the end of the old one, so both could land.
          lastValidBlockHeight <= entry.lastValidBlockHeight + BLOCKHASH_LIFETIME_BLOCKS,
      ),
    add: async (entry) => {
      append(file, lineOf(entry));
      entries.set(entry.batchId, entry);
    },
  };
  return {
    exclusively: (work) => {
      const run = last.then(() => work(access));
      last = run.catch(() => undefined);
      return run;
    },
    close: () => closeSync(file),
  };
}

const lineOf = (entry: LogEntry): string =>
  `${JSON.stringify(z.encode(lineSchema, { ...entry, payoutIds: [...entry.payoutIds] }))}\n`;

/** All of it or nothing: on a full disk a single write can end half-way without an error. */
function append(file: number, line: string): void {
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, line);
    fsyncSync(file);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

const sum = (entries: readonly LogEntry[]) => entries.reduce((total, { amount }) => total + amount, 0n);

/** A last line that was cut off belongs to a batch that was not signed. */
function readEntries(path: string): LogEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => lineSchema.parse(JSON.parse(line)));
}

/** Drops what is too old to matter, and a cut-off line. */
function rewrite(path: string, entries: readonly LogEntry[]): void {
  const partial = `${path}.partial`;
  const file = openSync(partial, 'w', 0o600);
  writeFileSync(file, entries.map(lineOf).join(''));
  fsyncSync(file);
  closeSync(file);
  renameSync(partial, path);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
