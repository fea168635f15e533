import { mkdirSync, readFileSync } from 'node:fs';
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

/** Another version of the platform tools makes other bytes of the same source. */
const PLATFORM_TOOLS_VERSION = 'v1.57';
/** The only version that public clusters accept for deployments (SIMD-0500). Solana's tool would build v0. */
const SBPF_VERSION = 3;

/** Solana's own tool. It has another compiler, so the bytes differ from ours. */
export function compileWithCargoBuildSbf(programDir: string, outDir: string): void {
  mkdirSync(outDir, { recursive: true });
  const args = [
    'build-sbf',
    `--tools-version=${PLATFORM_TOOLS_VERSION}`,
    `--arch=v${SBPF_VERSION}`,
    `--manifest-path=${join(programDir, 'Cargo.toml')}`,
    `--sbf-out-dir=${outDir}`,
    '--',
    '--locked',
  ];
  runTool('cargo', args, { cwd: programDir, showErrors: true });
}

const ELF_FLAGS_OFFSET = 48;

/** For what is deployed on public clusters. The version of the bytecode is in the flags of the ELF header. */
export function expectPublicSbpfVersion(elf: Buffer): void {
  const version = elf.readUInt32LE(ELF_FLAGS_OFFSET);
  if (version === SBPF_VERSION) return;
  throw new ToolError(`the program is SBPF v${version}, public clusters only accept v${SBPF_VERSION}`);
}

function rustFlags(): string[] {
  return [
    `-Clinker=${linker}`,
    '-Cembed-bitcode=yes',
    // Makes crates take the same code path as under cargo build-sbf. Without it Rent::get() never calls the runtime.
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
