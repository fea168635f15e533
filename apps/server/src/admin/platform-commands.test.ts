import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readGlobalConfig } from '@engulf/chain/accounts/read-configs';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { deployProgram } from '@engulf/localnet/setup/deploy-program';
import {
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notesAbout, REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { Chain } from '../platform/chain/chain.ts';
import type { Context } from '../platform/context.ts';
import { closeKey, openKey } from '../platform/super-admin-key.ts';

let server: TestServer;
let operator: Operator;
const folder = mkdtempSync(join(tmpdir(), 'engulf-keys-'));

beforeAll(async () => {
  server = await startTestServer();
  operator = createOperator(server.context);
});
afterAll(async () => {
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function config(chain: Pick<Chain, 'rpc' | 'programId'> = server.chain) {
  return readGlobalConfig(chain.rpc, chain.programId, 'finalized');
}

async function newKeyFile(name: string): Promise<{ signer: KeyPairSigner; file: string }> {
  const privateKey = crypto.getRandomValues(new Uint8Array(32));
  const signer = await createKeyPairSignerFromPrivateKeyBytes(privateKey);
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify([...privateKey, ...getAddressEncoder().encode(signer.address)]));
  return { signer, file };
}

describe('fee and treasury', () => {
  test('are changed on the chain, once, with a note', async () => {
    expect(await operator.run('fee', 'set', '700', ...REASON)).toMatchObject({ code: 0, errors: '' });
    expect(await config()).toMatchObject({ platformFeeBasisPoints: 700 });
    expect(await operator.run('fee', 'set', '700', ...REASON)).toMatchObject({
      output: 'Nothing to change: it is so already.',
    });
    const { address } = await server.newWallet();
    expect(await operator.run('treasury', 'set', address, ...REASON, '--yes')).toMatchObject({ code: 0 });
    expect(await config()).toMatchObject({ platformTreasury: address });
    const notes = await notesAbout(server, 'platform');
    expect(notes.map(({ action }) => action)).toEqual(['fee set', 'treasury set']);
    expect(notes[0]!.details).toMatchObject({ signature: expect.any(String) });
  });

  test('are not changed by a dry run, a wrong value, or what the chain would refuse', async () => {
    const [before, chainBefore] = [await dumpDatabase(server.context), await config()];
    expect(await operator.run('fee', 'set', '800', '--dry-run')).toMatchObject({
      code: 0,
      output: 'This would change:\n  platform fee in basis points: 700 → 800',
    });
    expect(await operator.run('fee', 'set', '2001', ...REASON)).toMatchObject({ code: 2 });
    expect(await operator.run('treasury', 'set', 'me', ...REASON)).toMatchObject({ code: 2 });
    const empty = await generateKeyPairSigner();
    expect(await operator.run('treasury', 'set', empty.address, ...REASON, '--yes')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Incorrect platform treasury wallet provided. Nothing was sent.'),
    });
    expect(await dumpDatabase(server.context)).toBe(before);
    expect(await config()).toEqual(chainBefore);
  });

  test('a change that is killed after any step is finished by running it again, and never undone later', async () => {
    let steps = 0;
    for (let isKilled = true; isKilled; ) {
      const fee = String(100 + ++steps);
      isKilled = await operator.runAndKill(steps, ['fee', 'set', fee]);
      // Another change has to wait for what may still land.
      expect(await operator.run('fee', 'set', '900', ...REASON)).toMatchObject({ code: 0, errors: '' });
      expect(await config()).toMatchObject({ platformFeeBasisPoints: 900 });
      expect(await operator.run('fee', 'set', fee, ...REASON)).toMatchObject({ code: 0 });
      expect(await config()).toMatchObject({ platformFeeBasisPoints: Number(fee) });
    }
    expect(steps).toBe(4);
  });

  test('need the key that the program obeys', async () => {
    const withKey = (signer: KeyPairSigner | undefined) =>
      createOperator({
        ...server.context,
        chain: { ...server.chain, superAdminKey: signer && closeKey(signer) },
      });
    expect(await withKey(undefined).run('fee', 'set', '1', ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('This needs SUPER_ADMIN_KEYPAIR in the environment'),
    });
    const stranger = await generateKeyPairSigner();
    expect(await withKey(stranger).run('fee', 'set', '1', ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining(`SUPER_ADMIN_KEYPAIR is ${stranger.address}, but the program obeys`),
    });
    expect((await withKey(undefined).run('chain', 'show')).output).toMatch(/keyHere +none/);
  });
});

describe('chain init', () => {
  test('sets up a program that was just deployed', async () => {
    const authority = await newKeyFile('authority');
    await server.chain.test!.fund(authority.signer.address, { lamports: 20_000_000_000n });
    const program = await generateKeyPairSigner();
    await deploy(authority.signer, program);
    const chain: Chain = { ...server.chain, programId: program.address };
    const fresh = createOperator({ ...server.context, chain });
    expect((await fresh.run('chain', 'show')).output).toContain('not set up: run chain init');
    expect(await fresh.run('fee', 'set', '1', ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('chain init --help'),
    });
    const treasury = await server.newWallet();
    const argv = ['chain', 'init', '--treasury', treasury.address, '--fee', '500'];
    expect(await fresh.run(...argv, ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Unauthorized'),
    });
    const file = ['--upgrade-authority-file', authority.file];
    expect(await fresh.run(...argv, ...file, ...REASON)).toMatchObject({ code: 0, errors: '' });
    expect(await config(chain)).toMatchObject({
      superAdmin: server.chain.superAdminKey!.address,
      platformTreasury: treasury.address,
      platformFeeBasisPoints: 500,
    });
    expect(await fresh.run(...argv, ...file, ...REASON)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Nothing to change'),
    });
    expect(await fresh.run(...argv.slice(0, -1), '600', ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('is set up already'),
    });
  });

  async function deploy(authority: KeyPairSigner, program: KeyPairSigner): Promise<void> {
    const { rpc } = server.chain;
    const executable = readFileSync(fileURLToPath(import.meta.resolve('@engulf/arena-program/arena.so')));
    const minimumBalance = (bytes: number) => rpc.getMinimumBalanceForRentExemption(BigInt(bytes)).send();
    await deployProgram(
      { authority, send: (list) => send(authority, list), minimumBalance },
      program,
      executable,
    );
    const { value: deployedAt } = await rpc.getLatestBlockhash().send();
    // The loader runs a program only from the slot after its deployment.
    while (
      (await rpc.getBlockHeight({ commitment: 'confirmed' }).send()) <=
      deployedAt.lastValidBlockHeight - 149n
    ) {
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  async function send(payer: KeyPairSigner, instructions: readonly Instruction[]): Promise<void> {
    const { rpc } = server.chain;
    const { value: lifetime } = await rpc.getLatestBlockhash().send();
    const signed = await signForSending(
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions(instructions, message),
      ),
    );
    await rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
    for (;;) {
      const { value } = await rpc.getSignatureStatuses([signed.signature]).send();
      if (value[0]) return;
      await new Promise((done) => setTimeout(done, 10));
    }
  }
});

describe('the super admin', () => {
  const external = (signer = openKey(server.chain.superAdminKey)): Context => ({
    ...server.context,
    chain: { ...server.chain, mode: 'external', superAdminKey: closeKey(signer) },
  });
  const accept = (file: string) => ['super-admin', 'accept', '--new-key-file', file];

  test('is not handed over on an embedded chain, whose key is part of its data', async () => {
    const { address } = await generateKeyPairSigner();
    expect(await operator.run('super-admin', 'propose', address, ...REASON)).toMatchObject({ code: 1 });
  });

  test('is handed over by two steps, which can be killed anywhere, and back', async () => {
    const keys = [
      await newKeyFile('first'),
      await newKeyFile('second'),
      await newKeyFile('third'),
      await newKeyFile('fourth'),
      await newKeyFile('fifth'),
    ];
    let current = openKey(server.chain.superAdminKey);
    let steps = 0;
    for (const { signer, file } of keys) {
      const boss = createOperator(external(current));
      await server.chain.test!.fund(signer.address, { lamports: 1_000_000_000n });
      expect(await boss.run(...accept(file), ...REASON, '--yes')).toMatchObject({
        code: 1,
        errors: expect.stringContaining('No key is proposed'),
      });
      await boss.run('switch', 'set', 'payouts-paused', 'on', ...REASON);
      const proposed = await boss.run('super-admin', 'propose', signer.address, ...REASON);
      expect(proposed).toMatchObject({ code: 0, output: expect.stringContaining('super-admin accept') });
      expect(await config()).toMatchObject({ superAdmin: current.address });
      await boss.runAndKill(++steps, accept(file));
      expect(await boss.run(...accept(file), ...REASON, '--yes')).toMatchObject({ code: 0, errors: '' });
      expect(await config()).toMatchObject({ superAdmin: signer.address });
      expect(await boss.run('fee', 'set', '1', ...REASON)).toMatchObject({ code: 1 });
      current = signer;
    }
    expect(await createOperator(external(current)).run('fee', 'set', '123', ...REASON)).toMatchObject({
      code: 0,
    });
  });

  test('is not handed over to another key, after the time, while payouts run, or once cancelled', async () => {
    const current = await config();
    const { signer, file } = await newKeyFile('late');
    const other = await newKeyFile('other');
    // The last test left the role with a key that only its file knows.
    const bytes = Uint8Array.from(JSON.parse(readFileSync(join(folder, 'fifth.json'), 'utf8')).slice(0, 32));
    const boss = createOperator(external(await createKeyPairSignerFromPrivateKeyBytes(bytes)));
    await boss.run('super-admin', 'propose', signer.address, '--within', '1h', ...REASON);
    expect((await boss.run('chain', 'show')).output).toContain(signer.address);
    const run = (path: string) => boss.run(...accept(path), ...REASON, '--yes');
    expect(await run(other.file)).toMatchObject({ code: 1, errors: expect.stringContaining('proposed is') });
    expect(await run(join(folder, 'nothing.json'))).toMatchObject({ code: 2 });
    await boss.run('switch', 'clear', 'payouts-paused', ...REASON);
    expect(await run(file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Pause payouts first'),
    });
    server.advance(3_600_001);
    expect(await run(file)).toMatchObject({ code: 1, errors: expect.stringContaining('has expired') });
    await boss.run('super-admin', 'propose', signer.address, ...REASON);
    expect(await boss.run('super-admin', 'cancel', ...REASON)).toMatchObject({ code: 0 });
    expect(await run(file)).toMatchObject({ code: 1, errors: expect.stringContaining('No key is proposed') });
    expect(await config()).toEqual(current);
  });
});
