import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool, type Toolchain, ToolError } from './toolchain.ts';

const linker = fileURLToPath(new URL('linker.ts', import.meta.url));

/** Compiles for bpfel-unknown-none, for which rustc writes LLVM bitcode; our linker turns that into a Solana program. */
export function compileWithCargo({ cargo, rustc }: Toolchain, programDir: string, targetDir: string): Buffer {
  const manifest = join(programDir, 'Cargo.toml');
  const { stdout } = runTool(
    cargo,
    [
      'build',
      '--release',
      '--locked',
      '--target=bpfel-unknown-none',
      '-Zbuild-std=core,alloc',
      // The linker optimizes the whole program; optimizing crates before costs compute units.
      '--config=profile.release.lto="off"',
      `--manifest-path=${manifest}`,
      '--message-format=json-render-diagnostics',
    ],
    {
      cwd: programDir,
      env: {
        ...process.env,
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter), // for the linker's `env node`
        RUSTC: rustc,
        RUSTC_BOOTSTRAP: '1', // -Z options on a stable compiler
        CARGO_TARGET_DIR: targetDir,
        CARGO_ENCODED_RUSTFLAGS: rustFlags().join('\x1f'),
      },
      showErrors: true,
    },
  );
  return readFileSync(sharedObjectIn(stdout, manifest));
}

function rustFlags(): string[] {
  return [
    `-Clinker=${linker}`,
    '-Cembed-bitcode=yes',
    // Makes crates take the same code path as with Solana's own compiler. Without it Rent::get() never calls the runtime.
    '--cfg=target_os="solana"',
    '-Aexplicit_builtin_cfgs_in_flags',
    // Otherwise panic messages carry the paths of this machine into the bytes.
    '-Zlocation-detail=none',
  ];
}

/** The target folder may hold several libraries: take the one cargo names. */
function sharedObjectIn(cargoMessages: string, manifest: string): string {
  for (const line of cargoMessages.split('\n').filter(Boolean)) {
    const message = JSON.parse(line) as { reason: string; manifest_path?: string; filenames?: string[] };
    if (message.reason !== 'compiler-artifact' || message.manifest_path !== manifest) continue;
    const file = message.filenames?.find((name) => name.endsWith('.so'));
    if (file) return file;
  }
  throw new ToolError('cargo built no shared object');
}
