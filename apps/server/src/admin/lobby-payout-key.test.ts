import { readPayoutKey } from '@engulf/chain/accounts/payout-key';
import { setSuperAdminInstruction } from '@engulf/chain/admin/platform-admin';
import { generateKeyPairSigner } from '@solana/kit';
import { beforeEach, expect, test } from 'vitest';
import { createPaidLobby, notesAbout, REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { addLobbyFromBefore, startPaidServer } from '../../testing/paid-players.ts';
import { openKey } from '../platform/super-admin-key.ts';

const { server, context } = await startPaidServer();
let operator: Operator;
beforeEach(() => {
  operator = createOperator(context);
});
const { address: key } = await generateKeyPairSigner();
const LIMITS = ['--max-claim', '0.5', '--max-window', '2', '--window', '1h'];
const set = (name: string, ...more: string[]) =>
  operator.run(
    'lobby',
    'payout-key',
    'set',
    name,
    '--key',
    key,
    ...(more.length > 0 ? more : LIMITS),
    ...REASON,
  );
const grantedFor = (id: bigint | null) =>
  readPayoutKey(context.chain.rpc, context.chain.programId, id!, 'finalized');

test('lobby payout-key sets, shows and revokes a key, with a dry run and an audit', async () => {
  const row = await createPaidLobby(server, operator);
  expect((await operator.run('lobby', 'payout-key', 'show')).output).toMatch(new RegExp(`${row.name} +none`));
  const before = await dumpDatabase(context);
  const rehearsal = await set(row.name, ...LIMITS, '--dry-run');
  expect(rehearsal).toMatchObject({
    code: 0,
    output: expect.stringContaining(`none → ${key}, 0.5 per claim`),
  });
  expect(await dumpDatabase(context)).toBe(before);
  expect(await grantedFor(row.chainLobbyId)).toBeUndefined();

  expect(await set(row.name)).toMatchObject({ code: 0, errors: '' });
  expect(await grantedFor(row.chainLobbyId)).toMatchObject({
    key,
    maxClaim: 500_000_000n,
    maxWindow: 2_000_000_000n,
    windowSlots: 9_000n,
    left: 2_000_000_000n,
  });
  expect(await set(row.name)).toMatchObject({ output: 'Nothing to change: it is so already.' });
  expect((await operator.run('lobby', 'payout-key', 'show')).output).toContain(key);

  const revoked = await operator.run('lobby', 'payout-key', 'revoke', row.name, ...REASON);
  expect(revoked).toMatchObject({ code: 0, errors: '' });
  expect(await grantedFor(row.chainLobbyId)).toBeUndefined();
  const again = await operator.run('lobby', 'payout-key', 'revoke', row.name, ...REASON);
  expect(again).toMatchObject({ output: 'Nothing to change: it is so already.' });
  const notes = await notesAbout(server, row.id);
  expect(notes.slice(-4).map(({ action, details }) => [action, details['step']])).toEqual([
    ['lobby payout-key set', 'signed'],
    ['lobby payout-key set', 'done'],
    ['lobby payout-key revoke', 'signed'],
    ['lobby payout-key revoke', 'done'],
  ]);
});

test('lobby payout-key set goes on after a kill at any step', async () => {
  const row = await createPaidLobby(server, operator);
  const argv = ['lobby', 'payout-key', 'set', row.name, '--key', key, ...LIMITS];
  for (let step = 1; await operator.runAndKill(step, argv); step++) {
    expect(await set(row.name)).toMatchObject({ code: 0, errors: '' });
    expect(await grantedFor(row.chainLobbyId)).toMatchObject({ key });
    expect(await operator.run('lobby', 'payout-key', 'revoke', row.name, ...REASON)).toMatchObject({
      code: 0,
    });
  }
});

test('lobby payout-key set refuses what makes no sense, before anything is signed', async () => {
  const row = await createPaidLobby(server, operator);
  expect(await set(row.name, '--max-claim', '3', '--max-window', '2', '--window', '1h')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('must not be larger'),
  });
  expect(await set(row.name, '--max-claim', '1', '--max-window', '2')).toMatchObject({ code: 2 });
  const own = ['--key', context.chain.superAdminKey!.address, ...LIMITS, ...REASON];
  expect(await operator.run('lobby', 'payout-key', 'set', row.name, ...own)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('has no limits'),
  });
  const old = await addLobbyFromBefore(server);
  expect(await set(old.name)).toMatchObject({ code: 1, errors: expect.stringContaining('order-claims') });
  const withoutKey = { ...context, chain: { ...context.chain, superAdminKey: undefined } };
  operator = createOperator(withoutKey);
  expect(await set(row.name)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('This needs SUPER_ADMIN_KEYPAIR'),
  });
  expect(await grantedFor(row.chainLobbyId)).toBeUndefined();
});

test('after a handover the keys of all lobbies are shown as void', async () => {
  const superAdmin = openKey(context.chain.superAdminKey);
  const newSuperAdmin = await server.newWallet({ lamports: 1_000_000_000n });
  const { programId } = context.chain;
  await server.sendFrom(superAdmin, await setSuperAdminInstruction({ programId, superAdmin, newSuperAdmin }));
  const { output } = await operator.run('lobby', 'payout-key', 'show');
  expect(output).toContain('void: set by a former super admin');
  expect(output).not.toContain('obeyed');
});
