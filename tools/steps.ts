import { spawnSync } from 'node:child_process';

export type Step = { readonly name: string; readonly command: string; readonly arguments: readonly string[] };

/** Runs every step, also after one failed, so that one run shows all that is wrong. */
export function runSteps(steps: readonly Step[]): never {
  const failed: string[] = [];
  for (const step of steps) {
    const startedAt = performance.now();
    console.log(`\n▸ ${step.name}`);
    const { status, error } = spawnSync(step.command, step.arguments, { stdio: 'inherit' });
    if (error) console.error(error.message);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${status === 0 ? '✓' : '✗'} ${step.name} (${seconds} s)`);
    if (status !== 0) failed.push(step.name);
  }
  if (failed.length > 0) console.error(`\nFailed: ${failed.join(', ')}`);
  process.exit(failed.length > 0 ? 1 : 0);
}
