/**
 * LLVM's BPF back end falls short of a Solana program in three ways: it passes at most five arguments, all in
 * registers; it has no memory functions; and it writes a relocatable object. Hence the steps:
 *
 *   link all bitcode → optimize → lower signatures and memory calls in the IR → compile to an object → link to a
 *   shared object
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkObject } from './elf/link.ts';
import { callMemoryFunctions } from './ir/memory.ts';
import { lowerWideSignatures } from './ir/signatures.ts';
import { llvmTool, runTool, ToolError } from './toolchain.ts';

const ENTRYPOINT = 'entrypoint';
const runtime = fileURLToPath(new URL('ir/runtime.ll', import.meta.url));

/** From objects and libraries of bitcode to a file that Solana's loader accepts. */
export function linkProgram(
  inputs: readonly string[],
  exportedSymbols: readonly string[],
  workDir: string,
): Buffer {
  const kept = [...new Set([ENTRYPOINT, ...exportedSymbols])];
  const optimized = optimize(linkBitcode([runtime, ...inputs], workDir), kept, workDir);
  const object = compile(lower(optimized, kept, workDir), workDir);
  return linkObject(readFileSync(object), { entrypoint: ENTRYPOINT, kept });
}

/** Links everything into one module: all objects, and of the libraries what is called. */
function linkBitcode(inputs: readonly string[], workDir: string): string {
  const linked = join(workDir, 'linked.bc');
  const objects = inputs.filter((path) => !isArchive(path) && isModule(path));
  const members = inputs
    .filter(isArchive)
    .flatMap((path, index) => extract(path, join(workDir, `archive-${index}`)));
  runTool(llvmTool('llvm-link'), [...objects, '-o', linked]);
  // llvm-link looks at each library once, in order, so repeat until nothing more is found.
  for (let missing = '', before = ' '; members.length && missing !== before; ) {
    before = missing;
    runTool(llvmTool('llvm-link'), [linked, '--only-needed', ...members, '-o', linked]);
    missing = runTool(llvmTool('llvm-nm'), ['--undefined-only', '--just-symbol-name', linked]).stdout;
  }
  return linked;
}

const isArchive = (path: string): boolean => /\.(rlib|a)$/.test(path);

/** Leaves out Rust's metadata, and the ELF symbol table that builds without LTO carry. */
function isModule(path: string): boolean {
  return path.endsWith('.ll') || readFileSync(path).subarray(0, 2).toString('latin1') === 'BC';
}

/** In archive order, not by name: the names contain hashes of the build folder, and the bytes must not depend on it. */
function extract(archive: string, dir: string): string[] {
  mkdirSync(dir);
  runTool(llvmTool('llvm-ar'), ['x', archive], { cwd: dir });
  const names = runTool(llvmTool('llvm-ar'), ['t', archive]).stdout.split('\n').filter(Boolean);
  return names.map((name) => join(dir, name)).filter(isModule);
}

function optimize(module: string, kept: readonly string[], workDir: string): string {
  const optimized = join(workDir, 'optimized.ll');
  runTool(llvmTool('opt'), [
    '-S',
    '--strip-debug',
    `--internalize-public-api-list=${kept.join(',')}`,
    '-passes=internalize,globaldce,default<O2>,strip-dead-prototypes,globaldce,instnamer',
    // Otherwise opt turns byte loops into the memcpy and memset calls that the back end cannot make.
    '--disable-loop-idiom-memcpy',
    '--disable-loop-idiom-memset',
    module,
    '-o',
    optimized,
  ]);
  return optimized;
}

function lower(module: string, kept: readonly string[], workDir: string): string {
  const text = join(workDir, 'lowered.ll');
  writeFileSync(text, callMemoryFunctions(lowerWideSignatures(readFileSync(module, 'utf8'), new Set(kept))));
  const linked = join(workDir, 'with-runtime.bc');
  runTool(llvmTool('llvm-link'), [text, '--only-needed', runtime, '-o', linked]);
  const lowered = join(workDir, 'lowered.bc');
  runTool(llvmTool('opt'), [
    `--internalize-public-api-list=${kept.join(',')}`,
    '-passes=internalize,always-inline,function(sroa,early-cse,simplifycfg),globaldce',
    linked,
    '-o',
    lowered,
  ]);
  return lowered;
}

function compile(module: string, workDir: string): string {
  const object = join(workDir, 'program.o');
  const { stderr } = runTool(llvmTool('llc'), [
    '-march=bpfel',
    '-mcpu=v2', // v3 has 32-bit jumps, v4 sign-extending loads: SBPF v0 has neither
    '-mattr=+allows-misaligned-mem-access',
    '-bpf-stack-size=4096',
    '-bpf-min-jump-table-entries=1000000',
    '-filetype=obj',
    '-O2',
    module,
    '-o',
    object,
  ]);
  if (/stack/i.test(stderr)) throw new ToolError(`a function needs more than 4096 bytes of stack\n${stderr}`);
  return object;
}
