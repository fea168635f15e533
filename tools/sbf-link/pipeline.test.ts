import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedResults, loadProbe } from './fixtures/run-probe.ts';
import { linkProgram } from './pipeline.ts';
import { llvmTool, runTool } from './toolchain.ts';

const probe = fileURLToPath(new URL('fixtures/probe.ll', import.meta.url));
const hasLlvm = spawnSync(llvmTool('llc'), ['--version']).status === 0;

describe.skipIf(!hasLlvm)('linkProgram, with LLVM installed', () => {
  let workDir: string;
  beforeAll(() => {
    workDir = mkdtempSync(join(tmpdir(), 'pipeline-test-'));
  });
  afterAll(() => rmSync(workDir, { recursive: true, force: true }));

  function assemble(source: string): string {
    const bitcode = join(workDir, 'input.o');
    runTool(llvmTool('llvm-as'), [source, '-o', bitcode]);
    return bitcode;
  }

  test('a program that needs every lowering step computes the same as bigint', async () => {
    const run = await loadProbe(linkProgram([assemble(probe)], [], workDir));
    const anyNumbers = fc.array(fc.bigInt(0n, 2n ** 64n - 1n), { minLength: 8, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(anyNumbers, async (numbers) => {
        const { logs, results } = await run(numbers);
        expect(results).toEqual(expectedResults(numbers));
        expect(logs).toContain('Program log: probe');
      }),
      { numRuns: 200 },
    );
  });

  test('a writable static is refused with a message that names the problem', () => {
    const source = join(workDir, 'statics.ll');
    writeFileSync(
      source,
      [
        'target triple = "bpfel"',
        '@counter = internal global i64 0',
        'define i64 @entrypoint(ptr %input) {',
        '  %before = load volatile i64, ptr @counter',
        '  store volatile i64 1, ptr @counter',
        '  ret i64 %before',
        '}',
      ].join('\n'),
    );
    expect(() => linkProgram([assemble(source)], [], workDir)).toThrow(
      'Solana programs have no writable statics',
    );
  });
});
