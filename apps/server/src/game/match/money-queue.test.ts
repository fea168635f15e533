import { type EntryId, entryId, lobbyId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { GamePorts } from '../ports.ts';
import { createMemoryPorts } from '../testing/memory-ports.ts';
import { createMoneyQueue } from './money-queue.ts';

const lobby = lobbyId('lobby');
const logger = pino({ level: 'silent' });

/** Ports that write down what becomes durable, when; settlements take as long as they are told. */
function slowPorts(delaysMs: Map<EntryId, number>) {
  const log: string[] = [];
  const ports: GamePorts = {
    ...createMemoryPorts([]),
    recordBountyMoves: (_lobby, moves) => void log.push(...moves.map(({ amount }) => `move ${amount}`)),
    settleEntry: async (entry) => {
      await new Promise((resolve) => setTimeout(resolve, delaysMs.get(entry)));
      log.push(`settle ${entry}`);
      return { amount: baseUnits(0n), isNew: true };
    },
  };
  return { ports, log };
}

type Job = 'move' | 'settleFast' | 'settleSlow';
const DELAY_MS = { move: 0, settleFast: 1, settleSlow: 6 } as const;

/** Every sequence of jobs of a length. */
function plansOf(length: number): Job[][] {
  if (length === 0) return [[]];
  return plansOf(length - 1).flatMap((plan) =>
    (['move', 'settleFast', 'settleSlow'] as const).map((job) => [...plan, job]),
  );
}

test.each([1, 2, 3, 4, 5])(
  'of %i jobs no move overtakes a settlement, nor a settlement a move',
  async (length) => {
    await Promise.all(
      plansOf(length).map(async (plan) => {
        const { ports, log } = slowPorts(new Map(plan.map((job, i) => [entryId(`e${i}`), DELAY_MS[job]])));
        const queue = createMoneyQueue(ports, lobby, logger);
        plan.forEach((job, i) => {
          const entry = entryId(`e${i}`);
          if (job === 'move') queue.move([{ from: entry, to: entry, amount: BigInt(i) }]);
          else void queue.settle(entry, { kind: 'killed', amount: 0n, massMilli: 0 });
        });
        await queue.drained();
        expect(log).toHaveLength(plan.length);
        plan.forEach((job, i) => {
          // Settlements that stand side by side may change places; every move stays in its own.
          if (job === 'move') expect(log[i]).toBe(`move ${i}`);
        });
      }),
    );
  },
);

test('a settlement that fails is tried again, and holds back what depends on it', async () => {
  const ports = createMemoryPorts([]);
  const log: string[] = [];
  let attempts = 0;
  const queue = createMoneyQueue(
    {
      ...ports,
      recordBountyMoves: () => void log.push('move'),
      settleEntry: async () => {
        attempts++;
        if (attempts < 3) throw new Error('The database is away');
        log.push('settled');
        return { amount: baseUnits(5n), isNew: true };
      },
    },
    lobby,
    logger,
  );
  const settled = queue.settle(entryId('e'), { kind: 'cashout', amount: 5n, massMilli: 1 });
  queue.move([]);
  expect(await settled).toEqual({ amount: 5n, isNew: true });
  await queue.drained();
  expect(log).toEqual(['settled', 'move']);
});
