import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseLinkerArguments } from './linker-arguments.ts';

const dir = mkdtempSync(join(tmpdir(), 'linker-arguments-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('parseLinkerArguments finds inputs, output and exported symbols', () => {
  const symbols = join(dir, 'symbols');
  writeFileSync(symbols, 'entrypoint\nSECURITY_TXT\n');
  const args = [
    '--export-symbols',
    symbols,
    'a.o',
    '-L',
    'x.o',
    'b.rlib',
    '--cpu',
    'generic',
    '-O3',
    '-o',
    'out.so',
    '--debug',
  ];
  expect(parseLinkerArguments(args)).toEqual({
    inputs: ['a.o', 'b.rlib'],
    output: 'out.so',
    exportedSymbols: ['entrypoint', 'SECURITY_TXT'],
  });
});

test('parseLinkerArguments refuses a call without an output file', () => {
  expect(() => parseLinkerArguments(['a.o'])).toThrow('no output file');
});
