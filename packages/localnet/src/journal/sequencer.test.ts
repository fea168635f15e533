import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyPairSigner, getBase64Encoder } from '@solana/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Surfpool } from '../node/surfpool.ts';
import { signTransfer, type TestRpc } from '../testing/load.ts';
import { type Journal, openJournal } from './journal.ts';
import { createSequencer } from './sequencer.ts';

let folder: string;
let journal: Journal;
let wire: Uint8Array;
let signature: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engulf-sequencer-'));
  journal = openJournal(join(folder, 'journal.sqlite'));
  const wallet = await generateKeyPairSigner();
  const lifetime = { blockhash: wallet.address, lastValidBlockHeight: 1n };
  const rpc = { getLatestBlockhash: () => ({ send: async () => ({ value: lifetime }) }) };
  const signed = await signTransfer(rpc as unknown as TestRpc, wallet, wallet.address, 1n);
  wire = new Uint8Array(getBase64Encoder().encode(signed.wire));
  signature = signed.signature;
});
afterEach(() => {
  journal.close();
  rmSync(folder, { recursive: true });
});

/** A chain that executes every transaction; it shows the accounts once `accountsShown` resolves. */
function workingChain(accountsShown: Promise<void> = Promise.resolve()): Surfpool {
  const account = { lamports: 5n, owner: 'owner', executable: false, data: ['', 'base64'] };
  const landed = {
    slot: 9n,
    meta: { err: null },
    transaction: { message: { accountKeys: [{ pubkey: 'pool', writable: true }] } },
  };
  const results: Record<string, () => Promise<unknown>> = {
    sendTransaction: async () => signature,
    getTransaction: async () => landed,
    getMultipleAccounts: () => accountsShown.then(() => ({ value: [account] })),
  };
  return { call: async (method: string) => ({ result: await results[method]!() }) } as unknown as Surfpool;
}

describe('the sequencer', () => {
  test('holds readers back until the journal has the transaction', async () => {
    const accounts = Promise.withResolvers<void>();
    const sequencer = createSequencer(workingChain(accounts.promise), journal, () => {});
    const submission = sequencer.submit(wire);
    await new Promise(setImmediate);
    expect(journal.find(signature)).toBeUndefined();
    const looked = sequencer.durable().then(() => journal.find(signature)?.slot);
    accounts.resolve();
    expect(await looked).toBe(9n);
    expect((await submission).kind).toBe('landed');
  });

  test('executes a resent transaction only once', async () => {
    const sequencer = createSequencer(workingChain(), journal, () => {});
    const kinds = (await Promise.all([sequencer.submit(wire), sequencer.submit(wire)])).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(['landed', 'duplicate']);
  });

  test('stops answering when the journal fails', async () => {
    const onFault = vi.fn();
    const broken: Journal = {
      ...journal,
      append: () => {
        throw new Error('disk full');
      },
    };
    const sequencer = createSequencer(workingChain(), broken, onFault);
    await expect(sequencer.submit(wire)).rejects.toThrow(/journal could not be written/);
    await expect(sequencer.durable()).rejects.toThrow(/journal could not be written/);
    await expect(sequencer.submit(wire)).rejects.toThrow(/journal could not be written/);
    expect(onFault).toHaveBeenCalledOnce();
  });

  test('refuses bytes that are not a transaction', async () => {
    const sequencer = createSequencer(workingChain(), journal, () => {});
    expect(await sequencer.submit(Uint8Array.of(1, 2, 3))).toMatchObject({ kind: 'refused' });
  });
});
