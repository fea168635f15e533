import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../../testing/audit-ledger.ts';
import { expectEverythingPaid, payoutCommands } from '../../../testing/models/payout-commands.ts';
import { createPayoutWorld } from '../../../testing/models/payout-model.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';

let database: OpenDatabase;
let key: KeyPairSigner;
let programId: Address;
let wallets: string[];
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-signer-'));
  database = await openTestDatabase();
  key = await generateKeyPairSigner();
  programId = (await generateKeyPairSigner()).address;
  wallets = await Promise.all([1, 2, 3].map(async () => (await generateKeyPairSigner()).address));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** PAYOUT_RUNS=2000 searches longer; .ci/run a little. */
const RUNS = Number(process.env['PAYOUT_RUNS'] ?? 10);

test.each([
  ['signs in the worker', false, false],
  ['has a process of its own', true, false],
  ['signs in the worker, claims in order', false, true],
  ['has a process of its own, claims in order', true, true],
  ['signs in the worker, claims in order by a payout key', false, true, true],
  ['has a process of its own, claims in order by a payout key', true, true, true],
])(
  'whatever happens on the way, nobody is paid twice and everybody is paid; the signer %s',
  async (_, isApart, isInOrder, isByPayoutKey = false) => {
    const runs = fc.commands(payoutCommands(wallets, { isInOrder }), { maxCommands: 40, size: 'max' });
    // Of claims in order one good node is enough.
    const goodNodes = isInOrder
      ? fc.subarray([0, 1] as const, { minLength: 1 })
      : fc.constant([0, 1] as const);
    await fc.assert(
      fc.asyncProperty(runs, goodNodes, async (commands, good) => {
        const newLog = () => join(folder, randomUUID());
        const signerLogs = isApart ? ([newLog(), newLog()] as const) : undefined;
        const options = { db: database.db, key, programId, isInOrder, isByPayoutKey, signerLogs };
        const world = await createPayoutWorld(options);
        await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
        await expectEverythingPaid(world, good);
      }),
      // Shrinking takes minutes: replay the seed without this to have it.
      { numRuns: RUNS, endOnFailure: true },
    );
    expect((await auditLedger(database.db)).faults).toEqual([]);
  },
  600_000,
);
