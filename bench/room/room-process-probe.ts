import { renameSync, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { standardRules } from '@engulf/sim/rules';
import { type FollowTicks, startMeasuringThread, type ThreadFigures } from './thread-figures.ts';

/*
 * Loaded into a room process before its program. The first signal starts the measurement, the second ends it and writes
 * the figures to a file with the name of the process.
 */

const folder = new URL(import.meta.url).searchParams.get('folder')!;
try {
  setPriority(constants.priority.PRIORITY_HIGH);
} catch {
  // Only an administrator may.
}
const TICK_MS = 1000 / standardRules.stepsPerSecond;
/** Nobody tells of the ticks here. A window of the same length may hold two, so the p99 is too high. */
const followTime: FollowTicks = (onTick) => {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
};
let stop: (() => ThreadFigures) | undefined;
process.on('SIGUSR2', () => {
  if (!stop) {
    stop = startMeasuringThread(TICK_MS, followTime);
    return;
  }
  const file = join(folder, String(process.pid));
  writeFileSync(`${file}.new`, JSON.stringify(stop()));
  renameSync(`${file}.new`, file);
});
