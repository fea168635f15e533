import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AccountState } from '../node/surfpool.ts';
import { type Journal, type Landing, openJournal } from './journal.ts';

let folder: string;
let journal: Journal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-journal-'));
  journal = openJournal(join(folder, 'journal.sqlite'));
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

function reopen(): void {
  journal.close();
  journal = openJournal(join(folder, 'journal.sqlite'));
}

function account(address: string, lamports: bigint): AccountState {
  return { address, lamports, owner: 'owner', executable: false, data: Uint8Array.of(1, 2) };
}

function landing(signature: string, slot: bigint, parts: Partial<Landing> = {}): Landing {
  return {
    transaction: {
      signature,
      slot,
      blockTimeSeconds: 1_700_000_000n,
      error: null,
      wire: Uint8Array.of(9),
      json: '{"a":1}',
      jsonParsed: '{"b":2}',
    },
    mentioned: ['pool'],
    changed: [],
    closed: [],
    ...parts,
  };
}

test('the journal keeps transactions and account states across a reopen', () => {
  const rich = account('rich', 2n ** 62n);
  journal.append(landing('first', 5n, { changed: [rich, account('poor', 1n)] }));
  journal.append(landing('second', 6n, { closed: ['poor'] }));
  reopen();
  expect([...journal.accounts()]).toEqual([rich]);
  expect(journal.find('first')).toMatchObject(landing('first', 5n).transaction);
  expect(journal.find('third')).toBeUndefined();
});

test('the journal rolls back a transaction that fails half-way', () => {
  journal.append(landing('same', 5n, { changed: [account('pool', 10n)] }));
  expect(() => journal.append(landing('same', 6n, { changed: [account('pool', 99n)] }))).toThrow();
  expect([...journal.accounts()]).toEqual([account('pool', 10n)]);
  expect(journal.find('same')?.slot).toBe(5n);
  journal.append(landing('next', 7n));
  expect(journal.find('next')).toBeDefined();
});

test('the journal lists the transactions of an address newest first, in pages', () => {
  for (let slot = 1n; slot <= 6n; slot++) journal.append(landing(`s${slot}`, slot));
  journal.append(landing('elsewhere', 7n, { mentioned: ['other'] }));
  const list = (query: { newestSlot?: bigint; before?: string; until?: string; limit?: number }) =>
    journal
      .historyOf({ address: 'pool', newestSlot: 100n, limit: 10, ...query })
      .map(({ signature }) => signature);
  expect(list({})).toEqual(['s6', 's5', 's4', 's3', 's2', 's1']);
  expect(list({ newestSlot: 4n, limit: 2 })).toEqual(['s4', 's3']);
  expect(list({ before: 's4', until: 's1' })).toEqual(['s3', 's2']);
});

test('a slot reservation is never lowered', () => {
  expect(journal.reservedSlot()).toBe(0n);
  journal.reserveSlots(500n);
  journal.reserveSlots(400n);
  reopen();
  expect(journal.reservedSlot()).toBe(500n);
});

test('a second process cannot open the journal', () => {
  expect(() => openJournal(join(folder, 'journal.sqlite'))).toThrow(/another process/);
});
