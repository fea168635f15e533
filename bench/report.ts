import type { Comparison, Timing } from './measure.ts';

export type SizeResult = { readonly cells: number; readonly busy: Comparison; readonly quiet: Timing };

/** How many times faster than the reference a step has to be. */
const GOALS: readonly { readonly cells: number; readonly ratio: number }[] = [
  { cells: 1_000, ratio: 5 },
  { cells: 10_000, ratio: 10 },
];

export function toJson(results: readonly SizeResult[]): string {
  const sizes = results.map(({ cells, busy, quiet }) => ({
    cells,
    worldSize: busy.worldSize,
    cellsEatenPerStep: rounded(busy.cellsEatenPerStep),
    p10us: rounded(busy.sim.p10us),
    p50us: rounded(busy.sim.p50us),
    p99us: rounded(busy.sim.p99us),
    allocatedBytesPerStep: busy.sim.allocatedBytesPerStep,
    referenceP10us: rounded(busy.reference.p10us),
    referenceP50us: rounded(busy.reference.p50us),
    referenceP99us: rounded(busy.reference.p99us),
    referenceAllocatedBytesPerStep: busy.reference.allocatedBytesPerStep,
    ratio: rounded(ratioOf(busy)),
    undisturbedRatio: rounded(undisturbedRatioOf(busy)),
    quietP50us: rounded(quiet.p50us),
    quietP99us: rounded(quiet.p99us),
    quietAllocatedBytesPerStep: quiet.allocatedBytesPerStep,
  }));
  return JSON.stringify({ sizes });
}

export function toTable(results: readonly SizeResult[]): string {
  const rows = results.map(({ cells, busy, quiet }) => [
    whole(cells),
    ...times(busy.sim),
    ...times(busy.reference),
    ratioOf(busy).toFixed(1),
    ...times(quiet),
  ]);
  const group = ['p50 µs', 'p99 µs', 'bytes'];
  const header = ['cells', ...group, ...group, 'ratio', ...group];
  const titles = ['', 'Engulf', '', '', 'reference', '', '', '', 'Engulf, quiet', '', ''];
  const table = [titles, header, ...rows];
  const widths = header.map((_, column) =>
    Math.max(...table.map((row) => (row === titles ? 0 : row[column]!.length))),
  );
  const lines = table.map((row) => row.map((cell, column) => cell.padStart(widths[column]!)).join('  '));
  return [...lines, '', ...remarks(results)].join('\n');
}

function remarks(results: readonly SizeResult[]): string[] {
  const lines = GOALS.flatMap((goal) => {
    const result = results.find(({ cells }) => cells === goal.cells);
    if (!result) return [];
    const ratio = ratioOf(result.busy);
    const verdict = ratio >= goal.ratio ? 'reached' : 'missed';
    const undisturbed = undisturbedRatioOf(result.busy).toFixed(1);
    return [
      `${whole(goal.cells)} cells: ${ratio.toFixed(1)} times faster, goal ${goal.ratio}: ${verdict} ` +
        `(${undisturbed} in the steps that the machine disturbed least)`,
    ];
  });
  const small = results.find(({ cells }) => cells === 1_000);
  const large = results.find(({ cells }) => cells === 10_000);
  if (small && large) {
    const growth = large.busy.sim.p50us / small.busy.sim.p50us;
    const ofReference = large.busy.reference.p50us / small.busy.reference.p50us;
    lines.push(
      `10 times the cells cost ${growth.toFixed(1)} times as much (reference ${ofReference.toFixed(1)})`,
    );
  }
  return lines;
}

function times({ p50us, p99us, allocatedBytesPerStep }: Timing): string[] {
  return [whole(p50us), whole(p99us), whole(allocatedBytesPerStep)];
}

function ratioOf({ sim, reference }: Comparison): number {
  return reference.p50us / sim.p50us;
}

/** The undisturbed ratio: a busy machine interrupts long steps more often than short ones. */
function undisturbedRatioOf({ sim, reference }: Comparison): number {
  return reference.p10us / sim.p10us;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
