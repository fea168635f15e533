import { globSync, readFileSync } from 'node:fs';

const MS_PER_CLOCK_TICK = 10;

/** User and system time of all threads of a process so far. Linux only. */
export function cpuMsOf(pid: number): number {
  const [user, system] = timesOf(pid);
  return (user! + system!) * MS_PER_CLOCK_TICK;
}

/** That of its children as well, of those that have ended too. */
export function cpuMsOfFamily(pid: number): number {
  const living = childrenOf(pid).reduce((sum, child) => sum + cpuMsOfLiving(child), 0);
  // Read last: a child that ended meanwhile is counted here.
  return living + timesOf(pid).reduce((sum, ticks) => sum + ticks, 0) * MS_PER_CLOCK_TICK;
}

function cpuMsOfLiving(pid: number): number {
  try {
    return cpuMsOf(pid);
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    return 0;
  }
}

/** User and system time, and the same of children that have ended. */
function timesOf(pid: number): number[] {
  // The fields are counted after the name of the program, which may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return fields.slice(11, 15).map(Number);
}

/** Resident memory of a process. Linux only. */
export function rssMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** The processes that a process has started, from any of its threads, and that still run: all, or those of a program. Linux only. */
export function childrenOf(pid: number, program?: string): number[] {
  const lists = globSync(`/proc/${pid}/task/*/children`).map((path) => readFileSync(path, 'utf8'));
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
  if (program === undefined) return children;
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(program));
}
