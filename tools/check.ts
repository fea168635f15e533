import { globSync } from 'node:fs';
import { runSteps } from './steps.ts';

const projects = globSync('{packages,programs,apps}/*/tsconfig.json').concat(
  globSync('{tools,bench,e2e}/tsconfig.json'),
);

runSteps([
  { name: 'format, lint and import arrows', command: 'biome', arguments: ['check', '--error-on-warnings'] },
  ...projects
    .toSorted()
    .map((project) => ({ name: `types of ${project}`, command: 'tsc', arguments: ['-p', project] })),
  { name: 'generated chain client', command: 'node', arguments: ['packages/chain/codegen/check.ts'] },
  { name: 'dead code', command: 'knip', arguments: [] },
  {
    name: 'code that only tests use',
    command: 'knip',
    arguments: ['--production', '--include', 'files,exports'],
  },
]);
