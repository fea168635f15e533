import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createMoneyLanes } from '../game-host/money-lanes.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { bountyOf, spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { startHeartbeat } from '../platform/game-processes.ts';
import { auditLedger } from '../testing/audit-ledger.ts';
import { createUser, enter, payoutsOf } from '../testing/players.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { recoverEntries } from './recover-entries.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;
const STAKE = 47_500_000n;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

async function newPlayer() {
  const wallet = await server.newWallet();
  const user = await createUser(context, wallet);
  return { wallet, entryId: await enter(context, user, wallet, lobby) };
}

test('a process that slept too long is declared dead by the others and told to end', async () => {
  const onDeclaredDead = vi.fn();
  const heartbeat = await startHeartbeat(context, onDeclaredDead);
  const sleeper = await newPlayer();
  server.advance(21_000);
  expect(await recoverEntries(context)).toBe(0);
  expect(await recoverEntries(server.afterRestart())).toBe(1);
  await vi.waitFor(() => expect(onDeclaredDead).toHaveBeenCalledOnce(), 5_000);

  // Its room runs on for a moment: what is won there after the refund goes to the spill.
  const late = await newPlayer();
  const lanes = createMoneyLanes(context);
  lanes.recordBountyMoves(lobby.id, [{ from: late.entryId, to: sleeper.entryId, amount: STAKE }]);
  const outcome = { kind: 'cashout', amount: 2n * STAKE, massMilli: 80_000 } as const;
  for (let time = 0; time < 2; time++) {
    expect(await lanes.settleEntry(lobby.id, sleeper.entryId, outcome)).toMatchObject({
      amount: STAKE,
      isNew: false,
      kind: 'fault',
    });
  }
  expect(await readBalance(context.db, bountyOf(lobby.id, sleeper.entryId))).toBe(0n);
  expect(await readBalance(context.db, spillOf(lobby.id))).toBe(STAKE);
  expect(await payoutsOf(context, sleeper.wallet)).toMatchObject([{ amount: STAKE }]);
  expect((await auditLedger(context.db)).faults).toEqual([]);

  // A player who came in after that is refunded too.
  expect(await recoverEntries(server.afterRestart())).toBe(1);
  await heartbeat.stop();
});
