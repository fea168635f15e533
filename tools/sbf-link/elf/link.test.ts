import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectedResults, loadProbe } from '../fixtures/run-probe.ts';
import { linkObject } from './link.ts';

/** fixtures/probe.ll, compiled by llc. */
const object = readFileSync(new URL('../fixtures/probe.o', import.meta.url));
const link = (file: Buffer) => linkObject(file, { entrypoint: 'entrypoint', kept: [] });

test('linkObject links calls, syscalls, constants and a function table into a program that runs', async () => {
  const run = await loadProbe(link(object));
  for (const first of [0n, 1n]) {
    const numbers = [first, 10n, 3n, 2n ** 64n - 1n, 5n, 6n, 7n, 8n];
    const { logs, results } = await run(numbers);
    expect(results).toEqual(expectedResults(numbers));
    expect(logs).toContain('Program log: probe');
  }
});

test('linkObject makes the same bytes from the same object', () => {
  expect(link(object).equals(link(object))).toBe(true);
});

test('linkObject refuses anything but a relocatable BPF object', () => {
  expect(() => link(Buffer.alloc(64))).toThrow('not a relocatable object');
  expect(() => link(link(object))).toThrow('not a relocatable object');
});

test('linkObject refuses an object without the entrypoint', () => {
  expect(() => linkObject(object, { entrypoint: 'main', kept: [] })).toThrow('the program has no main');
});

test('linkObject refuses a call to an undefined function that is not a syscall', () => {
  const renamed = Buffer.from(object.toString('latin1').replaceAll('sol_log_\0', 'multiply\0'), 'latin1');
  expect(() => link(renamed)).toThrow('undefined symbol multiply');
});
