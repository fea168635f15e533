import { globSync, readFileSync } from 'node:fs';

const MS_PER_CLOCK_TICK = 10;

/** User and system time of all threads of a process so far. Linux only. */
export function cpuMsOf(pid: number): number {
  // The fields are counted after the name of the program, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_CLOCK_TICK;
}

/** Resident memory of a process. Linux only. */
export function rssMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** The processes that a process has started, from any of its threads, and that still run. Linux only. */
export function childrenOf(pid: number): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map((path) => readFileSync(path, 'utf8'));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}
