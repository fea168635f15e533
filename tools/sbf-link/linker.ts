#!/usr/bin/env node
/** The linker that rustc runs. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseLinkerArguments } from './linker-arguments.ts';
import { linkProgram } from './pipeline.ts';
import { ToolError } from './toolchain.ts';

const workDir = mkdtempSync(join(tmpdir(), 'sbf-linker-'));
try {
  const { inputs, output, exportedSymbols } = parseLinkerArguments(process.argv.slice(2));
  writeFileSync(output, linkProgram(inputs, exportedSymbols, workDir));
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(workDir, { recursive: true, force: true });
}
