import { findTokenAccount } from '@engulf/chain/accounts/pdas';
import { tokenProgramOf } from '@engulf/chain/payouts/reward-payees';
import { AccountRole } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notesAbout, REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { withNode } from '../../testing/fake-node.ts';
import { payoutDeps } from '../../testing/paid-players.ts';
import { ask, createUser, pay, payoutsOf } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { type PayoutDeps, payLobby } from '../money/payouts/pay-lobby.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';

let server: TestServer;
let operator: Operator;
let deps: PayoutDeps;

beforeAll(async () => {
  server = await startTestServer();
  const { context } = server;
  operator = createOperator(context);
  deps = payoutDeps(context);
});
afterAll(() => server.dispose());

const CLOSE_ACCOUNT = 9;

async function payAll(name: string): Promise<void> {
  const { id } = await server.lobby(name);
  for (let open = true; open; ) {
    await payLobby(server.context, id, deps);
    const rows = await server.context.db.select().from(payouts).where(eq(payouts.lobbyId, id));
    open = rows.some(({ status, heldAt }) => status !== 'completed' && heldAt === null);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** A payout that waits to be signed. */
async function oweRefund(): Promise<string> {
  const lobby = await server.lobby('Shallows');
  const wallet = await server.newWallet();
  await createUser(server.context, wallet);
  await pay(server.context, wallet, lobby);
  await reconcileLobby(server.context, lobby.id);
  const [payout] = await payoutsOf(server.context, wallet);
  return payout!.id;
}

const statusOf = async (id: string) => {
  const [row] = await server.context.db.select().from(payouts).where(eq(payouts.id, id));
  return row!.status;
};

describe('payouts', () => {
  test('of a batch that was never signed are dropped by command once it cannot land', async () => {
    const id = await oweRefund();
    const { context } = server;
    const lobby = await server.lobby('Shallows');
    const sign = () => Promise.reject(new Error('the signer does not answer'));
    await payLobby(
      context,
      lobby.id,
      payoutDeps(context, { signer: { ...payoutDeps(context).signer, sign } as never }),
    );
    const [batch] = await context.db.select().from(payoutBatches).where(eq(payoutBatches.status, 'open'));
    const drop = ['payouts', 'drop', 'Shallows', ...REASON];
    expect(await operator.run(...drop)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('may still land'),
    });
    expect(await statusOf(id)).toBe('processing');
    const later = withNode(context, { getBlockHeight: async () => batch!.lastValidBlockHeight + 1n });
    expect(await createOperator(later).run(...drop)).toMatchObject({ code: 0, errors: '' });
    expect(await statusOf(id)).toBe('pending');
    expect(await notesAbout(server, lobby.id)).toMatchObject([{ details: { batchId: batch!.id } }]);
    await payAll('Shallows');
    expect(await operator.run(...drop)).toMatchObject({ output: 'Nothing to change: it is so already.' });
  });

  test('whose wallet cannot receive them keep a lobby from being removed until the operator gives it what it lacks', async () => {
    const { context, chain } = server;
    const lobby = await server.lobby('Gulp Tank');
    const wallet = await server.newWallet({ lamports: 1_000_000_000n, tokens: lobby.entryFee });
    await createUser(context, wallet);
    await pay(context, wallet, lobby);
    await reconcileLobby(context, lobby.id);
    const { mint } = chain.test!.token;
    const tokenProgram = await tokenProgramOf(chain.rpc, mint);
    const account = await findTokenAccount({ owner: wallet.address, mint, tokenProgram });
    await server.sendFrom(wallet, {
      programAddress: tokenProgram,
      accounts: [
        { address: account, role: AccountRole.WRITABLE },
        { address: wallet.address, role: AccountRole.WRITABLE },
        { address: wallet.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(CLOSE_ACCOUNT),
    });
    const [payout] = await payoutsOf(context, wallet);
    await payLobby(context, lobby.id, deps);
    expect(await statusOf(payout!.id)).toBe('pending');
    const removal = await operator.run('lobby', 'remove', lobby.name, '--dry-run');
    expect(removal.errors).toContain(`payouts enable ${payout!.id}`);
    const enable = ['payouts', 'enable', payout!.id];
    const rehearsal = await operator.run(...enable, '--dry-run');
    expect(rehearsal).toMatchObject({ code: 0, output: expect.stringContaining('a token account for GULP') });
    expect(await operator.run(...enable, ...REASON)).toMatchObject({ code: 0, errors: '' });
    expect(await operator.run(...enable, ...REASON)).toMatchObject({
      output: 'Nothing to change: it is so already.',
    });
    expect(await notesAbout(server, payout!.id)).toMatchObject([{ action: 'payouts enable' }]);
    await payAll(lobby.name);
    expect(await statusOf(payout!.id)).toBe('completed');
  });

  test('that are paused are not signed until they go on, without a restart', async () => {
    const id = await oweRefund();
    await operator.run('switch', 'set', 'payouts-paused', 'on', ...REASON);
    server.advance(3_000);
    const { id: lobbyId } = await server.lobby('Shallows');
    await payLobby(server.context, lobbyId, deps);
    expect(await statusOf(id)).toBe('pending');
    await operator.run('switch', 'clear', 'payouts-paused', ...REASON);
    server.advance(3_000);
    await payAll('Shallows');
    expect(await statusOf(id)).toBe('completed');
  });

  test('that are held are not signed until they are released', async () => {
    const id = await oweRefund();
    const other = await oweRefund();
    expect(await operator.run('payouts', 'hold', id, '--reason', 'looks odd')).toMatchObject({ code: 0 });
    expect((await operator.run('payouts', 'list', '--held')).output).toContain(id);
    await payAll('Shallows');
    expect([await statusOf(id), await statusOf(other)]).toEqual(['pending', 'completed']);
    expect(await operator.run('payouts', 'hold', other, ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('it is signed and cannot be held'),
    });
    expect((await operator.run('payouts', 'show', id)).output).toMatch(/holdReason +looks odd/);
    expect(await operator.run('payouts', 'release', id, ...REASON)).toMatchObject({ code: 0 });
    await payAll('Shallows');
    expect(await statusOf(id)).toBe('completed');
    expect((await notesAbout(server, id)).map(({ action }) => action)).toEqual([
      'payouts hold',
      'payouts release',
    ]);
  });

  test('that wait after a failure are tried at once on demand', async () => {
    const id = await oweRefund();
    const notBefore = new Date(server.context.nowMs() + 300_000);
    await server.context.db.update(payouts).set({ notBefore }).where(eq(payouts.id, id));
    const before = await dumpDatabase(server.context);
    await operator.run('payouts', 'retry', id, '--dry-run');
    expect(await dumpDatabase(server.context)).toBe(before);
    expect(await operator.run('payouts', 'retry', id, ...REASON)).toMatchObject({ code: 0 });
    await payAll('Shallows');
    expect(await operator.run('payouts', 'retry', 'x', ...REASON)).toMatchObject({ code: 2 });
  });
});

describe('the books', () => {
  test('are shown per lobby and entry, and compared with the chain', async () => {
    const wallet = await server.newWallet();
    const user = await createUser(server.context, wallet);
    const lobby = await server.lobby('Shallows');
    await ask(server.context, user, lobby);
    await pay(server.context, wallet, lobby);
    expect(await operator.run('reconcile', 'Shallows', ...REASON)).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 payments found'),
    });
    const accounts = JSON.parse((await operator.run('ledger', 'Shallows', '--json')).output);
    const bounty = accounts.find(({ account }: { account: string }) => account.startsWith('bounty:'));
    expect(bounty).toMatchObject({ balance: '47500000' });
    const entryId = bounty.account.slice('bounty:'.length);
    expect((await operator.run('ledger', entryId)).output).toMatch(/payment:.+ pool:.+ bounty:.+ 47500000/);
    const pools = JSON.parse((await operator.run('solvency', '--json')).output);
    expect(pools).toContainEqual(
      expect.objectContaining({
        lobby: 'Shallows',
        poolOnChain: '47500000',
        bounties: '47500000',
        verdict: 'ok',
      }),
    );
  });

  test('of who changed what can be searched', async () => {
    await operator.run('codes', 'create', '--as', 'carol', '--reason', 'for the press');
    const { output } = await operator.run('audit', 'list', '--action', 'codes', '--limit', '1', '--json');
    expect(JSON.parse(output)).toMatchObject([
      { actor: 'carol', action: 'codes create', reason: 'for the press' },
    ]);
    expect((await operator.run('audit', 'list')).output).toContain('for the press');
  });
});
