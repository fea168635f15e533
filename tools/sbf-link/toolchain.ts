import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The committed bytes come from exactly these versions: another compiler makes other bytes of the same source. */
const RUST_VERSION = '1.96.0';
const LLVM_VERSION = '22.1.8';

export type Toolchain = {
  cargo: string;
  rustc: string;
};

/** A problem a developer can fix: a missing tool, a failed step, code that cannot become a Solana program. */
export class ToolError extends Error {}

/**
 * Debian's rustc-web and cargo-web, with the source of the standard library. SBF_RUST_PREFIX names a prefix other than
 * /usr. A rustup compiler on the PATH is ignored, because it lacks that source.
 */
export function findToolchain(): Toolchain {
  const prefix = process.env['SBF_RUST_PREFIX'] ?? '/usr';
  const toolchain = { cargo: join(prefix, 'bin/cargo'), rustc: join(prefix, 'bin/rustc') };
  const librarySource = join(prefix, 'lib/rustlib/src/rust/library/core');
  for (const path of [toolchain.cargo, toolchain.rustc, librarySource]) {
    if (!existsSync(path)) throw new ToolError(`${path} is missing: run tools/sbf-link/install-toolchain.sh`);
  }
  expectVersion(toolchain.rustc, /^rustc (\S+)/, RUST_VERSION);
  expectVersion(llvmTool('llc'), /LLVM version (\S+)/, LLVM_VERSION);
  return toolchain;
}

/** Debian's name for an LLVM command. */
export function llvmTool(name: 'llc' | 'llvm-ar' | 'llvm-as' | 'llvm-link' | 'llvm-nm' | 'opt'): string {
  return `${name}-${LLVM_VERSION.split('.')[0]}`;
}

/** Runs a command to completion and returns its output. */
export function runTool(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; showErrors?: boolean } = {},
): { stdout: string; stderr: string } {
  const { showErrors, ...rest } = options;
  const result = spawnSync(command, args, {
    ...rest,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', showErrors ? 'inherit' : 'pipe'],
  });
  if (result.error) throw new ToolError(`${command}: ${result.error.message}`, { cause: result.error });
  const stderr = result.stderr ?? '';
  if (result.status !== 0) throw new ToolError(`${command} failed\n${stderr}`);
  return { stdout: result.stdout, stderr };
}

function expectVersion(command: string, pattern: RegExp, expected: string): void {
  const found = pattern.exec(runTool(command, ['--version']).stdout.trim())?.[1];
  if (found !== expected) {
    throw new ToolError(
      `${command} has version ${found ?? 'unknown'}, the committed program was built with ${expected}. To move to another ` +
        'version, change it in tools/sbf-link/toolchain.ts, build, run the tests, and commit the new bytes with their hash.',
    );
  }
}
