/**
 * npm run licences: the licences of all dependencies, from the lock file. Fails if one is not in the list, so that
 * somebody reads it first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findUnknown, type LockedPackage, licenceOf } from './licences/known-licences.ts';

const lock = readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8');
const { packages } = JSON.parse(lock) as { packages: Record<string, LockedPackage> };
const groups = Map.groupBy(
  Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link),
  ([path, locked]) => licenceOf(path, locked),
);
for (const [licence, members] of [...groups].toSorted(([, a], [, b]) => b.length - a.length)) {
  console.log(`\n${licence}: ${members.length}`);
  const names = new Set(members.map(([path]) => path.replace(/^.*node_modules\//, '')));
  console.log(`  ${[...names].toSorted().join(', ')}`);
}
const unknown = findUnknown(packages);
for (const { path, licence } of unknown) console.error(`✗ ${path}: ${licence} is not in the list`);
console.log(`\nlicences: ${groups.size} kinds, ${unknown.length} not in the list`);
process.exitCode = unknown.length > 0 ? 1 : 0;
