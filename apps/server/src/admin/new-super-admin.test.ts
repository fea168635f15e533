import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServerHome, type ServerHome } from '@engulf/trials/server-home';
import type { ServerProcess } from '@engulf/trials/server-process';
import { createKeyPairSignerFromPrivateKeyBytes, getAddressEncoder } from '@solana/kit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator } from '../../testing/admin/operator.ts';
import { withLog } from '../../testing/fake-node.ts';
import {
  expectBooksToMatchTheChain,
  newWinner,
  payoutDeps,
  STAKE,
  type Winner,
} from '../../testing/paid-players.ts';
import { lamportsOf, payoutsOf } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { payLobby } from '../money/payouts/pay-lobby.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { openSwitches } from '../platform/switches.ts';

/* As docs/operations.md tells operators to do it, with a signer in a process of its own. */

const SECRET = randomBytes(32).toString('hex');
const folder = mkdtempSync(join(tmpdir(), 'engulf-new-key-'));
let server: TestServer;
let worker: Context;
let lobby: LobbyRow;
let home: ServerHome;
let signer: ServerProcess;

beforeAll(async () => {
  server = await startTestServer();
  lobby = await server.lobby('Shallows');
  // It has no key, and is not restarted.
  worker = { ...server.context, chain: { ...server.chain, superAdminKey: undefined } };
  home = await createServerHome();
  signer = await startSigner(server.superAdminKeypair());
});
afterAll(async () => {
  await home.dispose();
  await server.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const startSigner = (keypair: string) =>
  home.start({
    ENGULF_ROLES: 'signer',
    SUPER_ADMIN_KEYPAIR: keypair,
    PROGRAM_ID: server.chain.programId,
    SIGNER_SECRET: SECRET,
  });

const step = (context = worker) => {
  // The real ones remember what they read for two seconds.
  const switches = openSwitches(context.db, context.nowMs);
  const { payouts } = readConfig({ SIGNER_URL: signer.url, SIGNER_SECRET: SECRET });
  return payLobby({ ...context, switches }, lobby.id, payoutDeps(context, {}, payouts));
};

async function expectPaid({ wallet, lamportsBefore }: Winner): Promise<void> {
  const paid = async () => {
    await step();
    return payoutsOf(worker, wallet);
  };
  await expect.poll(paid, { timeout: 50_000 }).toMatchObject([{ status: 'completed' }]);
  expect(await lamportsOf(worker, wallet)).toBe(lamportsBefore + STAKE);
}

async function newKey(): Promise<{ keypair: string; file: string; address: string }> {
  const privateKey = crypto.getRandomValues(new Uint8Array(32));
  const { address } = await createKeyPairSignerFromPrivateKeyBytes(privateKey);
  const keypair = JSON.stringify([...privateKey, ...getAddressEncoder().encode(address)]);
  const file = join(folder, 'new.json');
  writeFileSync(file, keypair);
  await server.chain.test!.fund(address, { lamports: 1_000_000_000n });
  return { keypair, file, address };
}

test('the key of the super admin is replaced while a payout waits, which the new key pays', async () => {
  await expectPaid(await newWinner(server, lobby));
  const waiting = await newWinner(server, lobby);
  const { keypair, file, address } = await newKey();
  const operator = createOperator({ ...server.context, chain: { ...server.chain, mode: 'external' } });
  const run = (...argv: string[]) => operator.run(...argv, ...REASON);

  expect(await run('super-admin', 'propose', address)).toMatchObject({ code: 0, errors: '' });
  expect(await run('switch', 'set', 'payouts-paused', 'on')).toMatchObject({ code: 0 });
  await step();
  expect(await run('super-admin', 'accept', '--new-key-file', file, '--yes')).toMatchObject({
    code: 0,
    errors: '',
  });
  await step();
  expect(await payoutsOf(worker, waiting.wallet)).toMatchObject([{ status: 'pending' }]);

  expect(await signer.kill('SIGINT')).toBe(0);
  signer = await startSigner(keypair);
  expect(await run('switch', 'clear', 'payouts-paused')).toMatchObject({ code: 0 });
  const { context: watched, codes } = withLog(worker);
  // What the worker knows of the chain is a few seconds old at most.
  await expect
    .poll(async () => (await worker.chain.readPlatform()).superAdmin, { timeout: 30_000 })
    .toBe(address);
  await step(watched);
  await expectPaid(waiting);
  expect(codes).toEqual([]);
  await expectPaid(await newWinner(server, lobby));
  await expectBooksToMatchTheChain(worker, lobby);
});
