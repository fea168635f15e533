import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { createManualClock, type ManualClock } from '../../testing/game/manual-clock.ts';
import { describeMoneyContract } from '../../testing/game/ports-contract.ts';
import { insertPlayingEntry, withWriteFailures } from '../../testing/game-host/ledger-lobby.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { keepRoomsRunning } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { EntryOutcome, Settlement } from '../game/ports.ts';
import { bountyOf, spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import { systemClock } from '../platform/clock.ts';
import { createMoneyLanes, type MoneyLanes } from './money-lanes.ts';
import { createGamePorts } from './ports.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

describeMoneyContract('the real ports', async () => {
  const { context, failures } = withWriteFailures(server.context);
  const withoutDelay = {
    ...systemClock,
    setTimer: (_delayMs: number, run: () => void) => systemClock.setTimer(0, run),
  };
  const { ports, lanes } = createGamePorts(context, { clock: withoutDelay });
  return {
    ports,
    openLobby: async () => {
      const { id: lobbyId } = await newPaidLobby(context.db);
      await keepRoomsRunning(server.context);
      await ports.takeLease(lobbyId);
      return lobbyId;
    },
    enter: (lobbyId, stake) => insertPlayingEntry(context, lobbyId, stake),
    balanceOf: async (lobbyId, entryId) => {
      await lanes.drain();
      return readBalance(context.db, bountyOf(lobbyId, entryId));
    },
    failWrites: (count) => {
      for (let i = 0; i < count; i++) failures.push('noConnection');
    },
    dispose: () => lanes.drain(),
  };
});

test('moves that the ledger refuses change nothing and do not hold up the lobby', async () => {
  const lanes = createMoneyLanes(server.context, async () => true);
  const { id: lobbyId } = await newPaidLobby(server.context.db);
  const [poor, other] = [
    await insertPlayingEntry(server.context, lobbyId, 5n),
    await insertPlayingEntry(server.context, lobbyId, 5n),
  ];
  lanes.recordBountyMoves(lobbyId, [{ from: poor, to: other, amount: 6n }]);
  const outcome: EntryOutcome = { kind: 'cashout', amount: 5n, massMilli: 1 };
  expect(await lanes.settleEntry(lobbyId, other, outcome)).toMatchObject({ amount: 5n, isNew: true });
  expect(await readBalance(server.context.db, bountyOf(lobbyId, poor))).toBe(5n);
});

test('a room has no say about the money of another lobby', async () => {
  const { context } = server;
  const lanes = createMoneyLanes(context, async () => true);
  const [own, other] = [await newPaidLobby(context.db), await newPaidLobby(context.db)];
  const thief = await insertPlayingEntry(context, own.id, 5n);
  const victim = await insertPlayingEntry(context, other.id, 5n);
  lanes.recordBountyMoves(own.id, [{ from: victim, to: thief, amount: 5n }]);
  const killed: EntryOutcome = { kind: 'killed', amount: 0n, massMilli: 1 };
  await expect(lanes.settleEntry(own.id, victim, killed)).rejects.toThrow('no entry');
  expect(await readBalance(context.db, bountyOf(other.id, victim))).toBe(5n);
  expect(await readBalance(context.db, bountyOf(own.id, thief))).toBe(5n);
  await lanes.settleEntry(own.id, thief, { kind: 'cashout', amount: 5n, massMilli: 1 });
  await lanes.settleEntry(other.id, victim, { kind: 'cashout', amount: 5n, massMilli: 1 });
});

/** What a lobby's ledger must hold after the calls so far, taken in their order. */
type ModelLobby = { readonly id: LobbyId; readonly entries: readonly ModelEntry[]; spill: bigint };
type ModelEntry = { readonly id: EntryId; balance: bigint; granted: bigint | undefined };

const LOBBIES = 2;
const ENTRIES = 3;
const STAKE = 100n;

const lobby = fc.nat({ max: LOBBIES - 1 });
const entry = fc.nat({ max: ENTRIES - 1 });
const percent = fc.bigInt({ min: 0n, max: 100n });
const kind = fc.constantFrom('cashout' as const, 'forfeit' as const, 'closed' as const);
const failure = fc.constantFrom('noConnection' as const, 'lostInside' as const, 'lostAfterCommit' as const);
const isA = <Type extends string>(type: Type) => fc.constant(type);
const actions = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ type: isA('move'), lobby, from: entry, to: entry, percent }) },
    { weight: 2, arbitrary: fc.record({ type: isA('shareSpill'), lobby, to: entry, percent }) },
    { weight: 2, arbitrary: fc.record({ type: isA('settle'), lobby, entry, kind, percent }) },
    { weight: 3, arbitrary: fc.record({ type: isA('fail'), failure }) },
    { weight: 2, arbitrary: fc.record({ type: isA('wait'), ms: fc.nat({ max: 300 }) }) },
  ),
  { maxLength: 30 },
);
type Action = typeof actions extends fc.Arbitrary<(infer One)[]> ? One : never;

test('lanes keep the order per lobby and lose or repeat nothing, whatever fails in between', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (steps) => {
      const { context, failures } = withWriteFailures(server.context);
      const clock = createManualClock();
      const lanes = createMoneyLanes(context, async () => true, { clock });
      const model = await openModel();
      const granted: { readonly expected: bigint; readonly settled: Promise<Settlement> }[] = [];

      const act = async (step: Action): Promise<void> => {
        if (step.type === 'fail') {
          failures.push(step.failure);
        } else if (step.type === 'wait') {
          clock.advance(step.ms);
          await nextTurn();
        } else if (step.type === 'settle') {
          const at = model[step.lobby]!;
          const player = at.entries[step.entry]!;
          const share = step.kind === 'forfeit' ? step.percent : 100n;
          const outcome = { kind: step.kind, amount: (player.balance * share) / 100n, massMilli: 1 };
          const expected = settleInModel(at, player, outcome.amount);
          granted.push({ expected, settled: lanes.settleEntry(at.id, player.id, outcome) });
        } else {
          const at = model[step.lobby]!;
          const to = at.entries[step.to]!;
          const from = step.type === 'move' ? at.entries[step.from]! : 'spill';
          if (from === to) return;
          const amount = moveInModel(at, from, to, step.percent);
          lanes.recordBountyMoves(at.id, [{ from: from === 'spill' ? from : from.id, to: to.id, amount }]);
        }
      };
      for (const step of steps) await act(step);
      await drain(lanes, clock);

      for (const { expected, settled } of granted) expect((await settled).amount).toBe(expected);
      for (const { id, entries, spill } of model) {
        expect(await readBalance(context.db, spillOf(id))).toBe(spill);
        for (const { id: entryId, balance } of entries) {
          expect(await readBalance(context.db, bountyOf(id, entryId))).toBe(balance);
        }
      }
      const { lobbies, faults } = await auditLedger(context.db);
      expect(faults).toEqual([]);
      for (const { id } of model) {
        expect(lobbies.find(({ lobbyId }) => lobbyId === id)!.pool).toBe(STAKE * BigInt(ENTRIES));
      }
    }),
    { numRuns: 30 },
  );
}, 300_000);

async function openModel(): Promise<ModelLobby[]> {
  const model: ModelLobby[] = [];
  for (let i = 0; i < LOBBIES; i++) {
    const { id } = await newPaidLobby(server.context.db);
    const entries: ModelEntry[] = [];
    for (let j = 0; j < ENTRIES; j++) {
      const entryId = await insertPlayingEntry(server.context, id, STAKE);
      entries.push({ id: entryId, balance: STAKE, granted: undefined });
    }
    model.push({ id, entries, spill: 0n });
  }
  return model;
}

function moveInModel(at: ModelLobby, from: ModelEntry | 'spill', to: ModelEntry, percent: bigint): bigint {
  const amount = ((from === 'spill' ? at.spill : from.balance) * percent) / 100n;
  if (from === 'spill') at.spill -= amount;
  else from.balance -= amount;
  to.balance += amount;
  return amount;
}

/** Settling again grants nothing more; what the entry has won in between spills. */
function settleInModel(at: ModelLobby, player: ModelEntry, amount: bigint): bigint {
  const isNew = player.granted === undefined;
  player.granted ??= amount;
  at.spill += isNew ? player.balance - amount : player.balance;
  player.balance = 0n;
  return player.granted;
}

async function drain(lanes: MoneyLanes, clock: ManualClock): Promise<void> {
  let isDrained = false;
  const drained = lanes.drain().finally(() => {
    isDrained = true;
  });
  while (!isDrained) {
    clock.advance(50);
    await nextTurn();
  }
  await drained;
}
