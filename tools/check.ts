import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

/** The one at the root has the server and everything that imports it, which are read once then. */
const projects = globSync(['tsconfig.json', 'e2e/tsconfig.json', '{packages,programs,apps}/*/tsconfig.json']);

runSteps([
  { name: 'format and lint', command: 'biome', arguments: ['check', '--error-on-warnings'] },
  { name: 'import arrows', command: 'node', arguments: ['tools/check-arrows.ts'] },
  ...projects
    .toSorted()
    .map((project) => ({ name: `types of ${project}`, command: 'tsc', arguments: ['-p', project] })),
  {
    name: 'generated chain client',
    command: 'node',
    arguments: ['packages/chain/codegen/write.ts', '--check'],
  },
  { name: 'dead code', command: 'knip', arguments: [] },
  {
    name: 'code that only tests use',
    command: 'knip',
    arguments: ['--production', '--include', 'files,exports'],
  },
]);

type Step = { readonly name: string; readonly command: string; readonly arguments: readonly string[] };

/** Runs every step even after one failed, so that one run shows everything that is wrong. */
function runSteps(steps: readonly Step[]): never {
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
