/**
 * Builds arena.so:
 *
 *   node tools/sbf-link/build.ts                      with Debian's Rust and LLVM; writes arena.so and arena.so.sha256
 *   node tools/sbf-link/build.ts --check              the same into a temporary folder; fails unless the bytes are the committed ones
 *   node tools/sbf-link/build.ts --cargo-build-sbf    with Solana's own tool, for a public cluster; writes target/deploy/arena.so
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileWithCargo, compileWithCargoBuildSbf } from './cargo.ts';
import { findToolchain } from './toolchain.ts';
import { ToolError } from './tools.ts';

const programDir = fileURLToPath(new URL('../../programs/arena', import.meta.url));
const artifact = join(programDir, 'arena.so');
const hashFile = `${artifact}.sha256`;

try {
  main();
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

function main(): void {
  const { values: options } = parseArgs({
    options: { check: { type: 'boolean' }, 'cargo-build-sbf': { type: 'boolean' } },
  });
  if (options['cargo-build-sbf']) buildForPublicCluster();
  else if (options.check) check();
  else build();
}

function build(): void {
  const elf = compileWithCargo(findToolchain(), programDir, join(programDir, 'target'));
  writeFileSync(artifact, elf);
  writeFileSync(hashFile, `${sha256(elf)}  arena.so\n`);
  console.log(`${sha256(elf)}  arena.so  ${elf.length} bytes`);
}

/** Starts from an empty target folder, so that nothing left over from an earlier build can hide a difference. */
function check(): void {
  const targetDir = mkdtempSync(join(tmpdir(), 'arena-build-'));
  try {
    const built = sha256(compileWithCargo(findToolchain(), programDir, targetDir));
    const committed = readFileSync(hashFile, 'utf8').split(' ')[0];
    if (sha256(readFileSync(artifact)) !== committed)
      throw new ToolError('arena.so is not the file arena.so.sha256 names');
    if (built !== committed) {
      throw new ToolError(
        `arena.so is not what the source builds\n  committed ${committed}\n  built     ${built}`,
      );
    }
    console.log(`${built}  arena.so is what the source builds`);
  } finally {
    rmSync(targetDir, { recursive: true, force: true });
  }
}

function buildForPublicCluster(): void {
  const elf = compileWithCargoBuildSbf(programDir);
  console.log(`${sha256(elf)}  target/deploy/arena.so  ${elf.length} bytes`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
