import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { llvmTool } from './toolchain.ts';
import { runTool } from './tools.ts';

/** One module from everything the program needs: all of the objects, and of the libraries what is called. */
export function linkBitcode(inputs: readonly string[], workDir: string): string {
  const linked = join(workDir, 'linked.bc');
  const objects = inputs.filter((path) => !isArchive(path) && isModule(path));
  const members = inputs
    .filter(isArchive)
    .flatMap((path, index) => extract(path, join(workDir, `archive-${index}`)));
  runTool(llvmTool('llvm-link'), [...objects, '-o', linked]);
  // llvm-link looks at each library once, in order. Repeat until nothing more is found.
  for (let missing = '', before = ' '; members.length && missing !== before; ) {
    before = missing;
    runTool(llvmTool('llvm-link'), [linked, '--only-needed', ...members, '-o', linked]);
    missing = runTool(llvmTool('llvm-nm'), ['--undefined-only', '--just-symbol-name', linked]).stdout;
  }
  return linked;
}

const isArchive = (path: string): boolean => /\.(rlib|a)$/.test(path);

/** Left out: Rust's metadata, and the ELF symbol table that builds without LTO carry. */
function isModule(path: string): boolean {
  return path.endsWith('.ll') || readFileSync(path).subarray(0, 2).toString('latin1') === 'BC';
}

/** In the order of the archive: the names carry hashes of the folder that was built in. */
function extract(archive: string, dir: string): string[] {
  mkdirSync(dir);
  runTool(llvmTool('llvm-ar'), ['x', archive], { cwd: dir });
  const names = runTool(llvmTool('llvm-ar'), ['t', archive]).stdout.split('\n').filter(Boolean);
  return names.map((name) => join(dir, name)).filter(isModule);
}
