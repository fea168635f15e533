/**
 * LLVM's own BPF back end stops short of a Solana program in three ways: it passes at most five arguments, in
 * registers; it has no memory functions; and it writes a relocatable object. Hence, after all bitcode is in one module:
 *
 *   optimize → repair signatures and memory calls in the IR → compile to an object → link to a shared object
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkBitcode } from './bitcode.ts';
import { linkObject } from './elf/link.ts';
import { callMemoryFunctions } from './ir/memory.ts';
import { lowerWideSignatures } from './ir/signatures.ts';
import { llvmTool } from './toolchain.ts';
import { runTool, ToolError } from './tools.ts';

const ENTRYPOINT = 'entrypoint';
const runtime = fileURLToPath(new URL('ir/runtime.ll', import.meta.url));

/** The whole way, from objects and libraries of bitcode to what the loader accepts. */
export function linkProgram(
  inputs: readonly string[],
  exportedSymbols: readonly string[],
  workDir: string,
): Buffer {
  const kept = [...new Set([ENTRYPOINT, ...exportedSymbols])];
  const optimized = optimize(linkBitcode([runtime, ...inputs], workDir), kept, workDir);
  const object = compile(repair(optimized, kept, workDir), workDir);
  return linkObject(readFileSync(object), { entrypoint: ENTRYPOINT, kept });
}

function optimize(module: string, kept: readonly string[], workDir: string): string {
  const optimized = join(workDir, 'optimized.ll');
  runTool(llvmTool('opt'), [
    '-S',
    '--strip-debug',
    `--internalize-public-api-list=${kept.join(',')}`,
    '-passes=internalize,globaldce,default<O2>,strip-dead-prototypes,globaldce,instnamer',
    // Or opt would turn byte loops into the very calls that the back end cannot make.
    '--disable-loop-idiom-memcpy',
    '--disable-loop-idiom-memset',
    module,
    '-o',
    optimized,
  ]);
  return optimized;
}

function repair(module: string, kept: readonly string[], workDir: string): string {
  const text = join(workDir, 'repaired.ll');
  writeFileSync(text, callMemoryFunctions(lowerWideSignatures(readFileSync(module, 'utf8'), new Set(kept))));
  const linked = join(workDir, 'with-runtime.bc');
  runTool(llvmTool('llvm-link'), [text, '--only-needed', runtime, '-o', linked]);
  const repaired = join(workDir, 'repaired.bc');
  runTool(llvmTool('opt'), [
    `--internalize-public-api-list=${kept.join(',')}`,
    '-passes=internalize,always-inline,function(sroa,early-cse,simplifycfg),globaldce',
    linked,
    '-o',
    repaired,
  ]);
  return repaired;
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
