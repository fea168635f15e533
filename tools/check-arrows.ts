import { globSync, readFileSync } from 'node:fs';
import { findForbiddenImports } from './lint/arrows.ts';

const paths = globSync('{packages,apps}/*/{src,codegen,demo,test}/**/*.{ts,tsx}').filter(
  (path) => !path.includes('/generated/'),
);
const complaints = findForbiddenImports(new Map(paths.map((path) => [path, readFileSync(path, 'utf8')])));
for (const complaint of complaints) console.error(complaint);
console.log(`${paths.length} files, ${complaints.length} imports against the arrows of tools/lint/arrows.ts`);
process.exitCode = complaints.length > 0 ? 1 : 0;
