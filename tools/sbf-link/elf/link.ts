import { ToolError } from '../tools.ts';
import { checkBytecode, encodeIndirectCalls } from './bytecode.ts';
import { type Layout, layOut } from './layout.ts';
import { parseObject } from './object-file.ts';
import { relocate } from './relocate.ts';
import { writeSharedObject } from './shared-object.ts';

/** Makes the shared object that Solana's loader accepts (SBPF v0) out of one relocatable object. */
export function linkObject(file: Buffer, options: { entrypoint: string; kept: readonly string[] }): Buffer {
  const object = parseObject(file);
  const entrypoint = object.symbols.find(({ name, section }) => name === options.entrypoint && section !== 0);
  if (!entrypoint) throw new ToolError(`the program has no ${options.entrypoint}`);
  const kept = object.symbols.filter(({ name, section }) => section !== 0 && options.kept.includes(name));

  const layout = layOut(object, [entrypoint, ...kept]);
  const { dynamicRelocations, syscalls } = relocate(layout);
  encodeIndirectCalls(layout.code);
  checkBytecode(layout.code, functionFinder(layout));
  return writeSharedObject({
    entrypoint: layout.addressOf(entrypoint),
    code: layout.code,
    constants: layout.constants,
    relocated: layout.relocated,
    notes: layout.notes,
    dynamicRelocations,
    syscalls,
  });
}

function functionFinder(layout: Layout): (offset: number) => string {
  const functions = layout.functions.toSorted((a, b) => a.offset - b.offset);
  return (offset) =>
    functions.findLast((candidate) => candidate.offset <= offset)?.name ?? 'unknown function';
}
