import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { referenceArena } from '@engulf/sim/testing/reference/arena';
import { allocatedPerStep } from './allocation.ts';
import { type Arena, simArena } from './arena.ts';
import { type LoadKind, loadRules, startLoad } from './load.ts';

const SEED = 20_261;
/** Steps that one implementation takes before the other gets its turn. */
const TURN_STEPS = 20;
const ALLOCATION_STEPS = 40;

export type Duration = { readonly warmUpSteps: number; readonly timedSteps: number };

export type Timing = {
  /** What a step takes when the machine is otherwise idle. */
  readonly p10us: number;
  readonly p50us: number;
  readonly p99us: number;
  readonly allocatedBytesPerStep: number;
};

export type Comparison = {
  readonly worldSize: number;
  readonly cellsEatenPerStep: number;
  readonly sim: Timing;
  readonly reference: Timing;
};

/**
 * Runs both implementations in turns under the same load, so that a busy machine affects both alike. They
 * must stay in exactly the same state, or their times could not be compared.
 */
export function compare(cells: number, duration: Duration): Comparison {
  const rules = loadRules(cells, 'busy');
  const sim = contender(simArena(SEED, rules), cells, 'busy');
  const reference = contender(referenceArena(SEED, rules), cells, 'busy');
  for (let done = 0; done < duration.warmUpSteps; done += TURN_STEPS) {
    run(sim, TURN_STEPS);
    run(reference, TURN_STEPS);
  }
  forgetTimes(sim);
  forgetTimes(reference);
  for (let done = 0; done < duration.timedSteps; done += TURN_STEPS) {
    run(sim, TURN_STEPS);
    run(reference, TURN_STEPS);
  }
  requireSameState(sim.arena, reference.arena);
  return {
    worldSize: rules.worldSize,
    cellsEatenPerStep: sim.cellsEaten / sim.timesUs.length,
    sim: timing(sim),
    reference: timing(reference),
  };
}

/** The simulation alone in a world where cells only move and forage. */
export function measureQuiet(cells: number, duration: Duration): Timing {
  const quiet = contender(simArena(SEED, loadRules(cells, 'quiet')), cells, 'quiet');
  run(quiet, duration.warmUpSteps);
  forgetTimes(quiet);
  run(quiet, duration.timedSteps);
  return timing(quiet);
}

type Contender = {
  readonly arena: Arena;
  readonly prepareStep: () => void;
  readonly timesUs: number[];
  cellsEaten: number;
};

function contender(arena: Arena, cells: number, kind: LoadKind): Contender {
  return {
    arena,
    prepareStep: startLoad(arena, loadRules(cells, kind), SEED, kind),
    timesUs: [],
    cellsEaten: 0,
  };
}

function run(contender: Contender, steps: number): void {
  // Nobody pays for the garbage that the other one left.
  collectGarbage();
  const { arena, prepareStep, timesUs } = contender;
  for (let i = 0; i < steps; i++) {
    prepareStep();
    const startedAt = performance.now();
    arena.step();
    timesUs.push((performance.now() - startedAt) * 1000);
    contender.cellsEaten += arena.outcomes().filter(({ type }) => type === 'cellEaten').length;
  }
}

function forgetTimes(contender: Contender): void {
  contender.timesUs.length = 0;
  contender.cellsEaten = 0;
}

function timing({ arena, prepareStep, timesUs }: Contender): Timing {
  const sorted = timesUs.toSorted((a, b) => a - b);
  return {
    p10us: percentile(sorted, 0.1),
    p50us: percentile(sorted, 0.5),
    p99us: percentile(sorted, 0.99),
    allocatedBytesPerStep: allocatedPerStep(arena.step, prepareStep, ALLOCATION_STEPS),
  };
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function requireSameState(a: Arena, b: Arena): void {
  const linesOfA = a.describe();
  const linesOfB = b.describe();
  const length = Math.max(linesOfA.length, linesOfB.length);
  for (let i = 0; i < length; i++) {
    if (linesOfA[i] !== linesOfB[i])
      throw new Error(`The implementations drifted apart:\n  ${linesOfA[i]}\n  ${linesOfB[i]}`);
  }
}

function exposedGarbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

const collectGarbage = exposedGarbageCollector();
