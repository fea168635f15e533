/**
 * Builds the Solana program in a folder, named after that folder:
 *
 *   build.ts programs/arena                      writes arena.so and arena.so.sha256 there
 *   build.ts programs/arena --check              builds into a temporary folder; fails unless the bytes are the committed ones
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compileWithCargo } from './cargo.ts';
import { findToolchain, ToolError } from './toolchain.ts';

try {
  main();
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function main(): void {
  const { values: options, positionals } = parseArgs({
    options: { check: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  if (folder === undefined) throw new ToolError('which program? Give its folder, e.g. programs/arena');
  const programDir = resolve(folder);
  if (options.check) check(programDir);
  else build(programDir);
}

function build(programDir: string): void {
  const artifact = artifactOf(programDir);
  const elf = compileWithCargo(findToolchain(), programDir, join(programDir, 'target'));
  const hash = sha256(elf);
  writeFileSync(artifact, elf);
  writeFileSync(`${artifact}.sha256`, `${hash}  ${basename(artifact)}\n`);
  console.log(`${hash}  ${basename(artifact)}  ${elf.length} bytes`);
}

/** Uses an empty target folder, so that leftovers of an earlier build cannot hide a difference. */
function check(programDir: string): void {
  const artifact = artifactOf(programDir);
  const name = basename(artifact);
  const targetDir = mkdtempSync(join(tmpdir(), 'sbf-check-'));
  try {
    const built = sha256(compileWithCargo(findToolchain(), programDir, targetDir));
    const committed = readFileSync(`${artifact}.sha256`, 'utf8').split(' ')[0];
    if (sha256(readFileSync(artifact)) !== committed)
      throw new ToolError(`${name} does not have the hash in ${name}.sha256`);
    if (built !== committed) {
      throw new ToolError(
        `${name} is not what the source builds\n  committed ${committed}\n  built     ${built}`,
      );
    }
    console.log(`${built}  ${name} is what the source builds`);
  } finally {
    rmSync(targetDir, { recursive: true, force: true });
  }
}

function artifactOf(programDir: string): string {
  return join(programDir, `${basename(programDir)}.so`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
