import { expect, test } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { newPaidPlayer, STAKE, startPaidServer } from '../../testing/paid-players.ts';
import { keepRoomsRunning, payoutsOf } from '../../testing/players.ts';
import { createGamePorts } from '../game-host/ports.ts';
import { bountyOf, spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import { gameProcesses } from '../platform/database/games.ts';
import { recoverEntries } from './recover-entries.ts';

const { server, context, lobby } = await startPaidServer();

test('what a process still reports after it was declared dead changes nothing', async () => {
  await keepRoomsRunning(context);
  const { ports, lanes } = createGamePorts(context);
  expect(await ports.takeLease(lobby.id)).toBe(true);
  const [sleeper, victim] = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
  expect(await recoverEntries(server.afterRestart())).toBe(0);
  await context.db.delete(gameProcesses);
  // Nobody has refunded anything yet, and the room runs on for a moment.
  ports.recordBountyMoves(lobby.id, [{ from: victim.entryId, to: sleeper.entryId, amount: STAKE }]);
  const outcome = { kind: 'cashout', amount: 2n * STAKE, massMilli: 80_000 } as const;
  await expect(ports.settleEntry(lobby.id, sleeper.entryId, outcome)).rejects.toThrow('another process');
  await lanes.drain();
  expect(await readBalance(context.db, bountyOf(lobby.id, victim.entryId))).toBe(STAKE);

  const survivor = server.afterRestart();
  await keepRoomsRunning(survivor);
  expect(await recoverEntries(survivor)).toBe(2);
  expect(await ports.settleEntry(lobby.id, sleeper.entryId, outcome)).toMatchObject({
    amount: STAKE,
    isNew: false,
    kind: 'fault',
  });
  expect(await readBalance(context.db, spillOf(lobby.id))).toBe(0n);
  expect(await payoutsOf(context, sleeper.wallet)).toMatchObject([{ amount: STAKE }]);
  expect(await payoutsOf(context, victim.wallet)).toMatchObject([{ amount: STAKE }]);
  expect((await auditLedger(context.db)).faults).toEqual([]);
});
