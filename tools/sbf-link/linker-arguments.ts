import { readFileSync } from 'node:fs';
import { ToolError } from './toolchain.ts';

type LinkerArguments = {
  /** Objects and libraries, in the order given. */
  inputs: string[];
  output: string;
  exportedSymbols: string[];
};

const OPTIONS_WITH_VALUE = new Set(['-L', '--cpu', '--cpu-features', '--target']);

/** rustc calls a linker for BPF with --export-symbols FILE, inputs, -L DIR, --cpu X, -O3, --debug, -o OUTPUT. */
export function parseLinkerArguments(args: readonly string[]): LinkerArguments {
  const inputs: string[] = [];
  let output: string | undefined;
  let exportedSymbols: string[] = [];
  const rest = args[Symbol.iterator]();
  for (const argument of rest) {
    if (argument === '-o') output = rest.next().value;
    else if (argument === '--export-symbols') exportedSymbols = symbolsIn(rest.next().value);
    else if (OPTIONS_WITH_VALUE.has(argument)) rest.next();
    else if (/\.(o|rlib|bc|a)$/.test(argument)) inputs.push(argument);
  }
  if (!output) throw new ToolError('the linker got no output file');
  return { inputs, output, exportedSymbols };
}

function symbolsIn(file: string | undefined): string[] {
  return file ? readFileSync(file, 'utf8').split(/\s+/).filter(Boolean) : [];
}
