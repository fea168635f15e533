import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runTool, ToolError } from './tools.ts';

/** The committed arena.so comes from exactly these: another compiler makes other bytes from the same source. */
const RUST_VERSION = '1.96.0';
const LLVM_VERSION = '22.1.8';

export type Toolchain = {
  cargo: string;
  rustc: string;
};

/**
 * Debian's rustc-web and cargo-web, with the source of the standard library. Another prefix than /usr can be named in
 * SBF_RUST_PREFIX. A rustup compiler on the PATH is passed over: it lacks that source.
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

export type LlvmTool = 'llc' | 'llvm-ar' | 'llvm-link' | 'llvm-nm' | 'opt';

/** As Debian names them. */
export function llvmTool(name: LlvmTool): string {
  return `${name}-${LLVM_VERSION.split('.')[0]}`;
}

function expectVersion(command: string, pattern: RegExp, expected: string): void {
  const found = pattern.exec(runTool(command, ['--version']).stdout.trim())?.[1];
  if (found !== expected) {
    throw new ToolError(
      `${command} is ${found ?? 'of an unknown version'}, arena.so is built with ${expected}. To move to another version, ` +
        'change it in tools/sbf-link/toolchain.ts, build, run the tests, and commit the new arena.so with its hash.',
    );
  }
}
