import { ToolError } from '../toolchain.ts';
import { checkBytecode, encodeIndirectCalls, OPCODE_CALL, OPCODE_LDDW } from './bytecode.ts';
import { type Layout, layOut, type Placed } from './layout.ts';
import { parseObject, type Relocation } from './object-file.ts';
import {
  type DynamicRelocation,
  R_BPF_64_32,
  R_BPF_64_RELATIVE,
  writeSharedObject,
} from './shared-object.ts';

const R_BPF_64_64 = 1;
const R_BPF_64_ABS64 = 2;

/** Marks a call whose target is an offset in the code, not the number of a helper. */
const CALL_RELATIVE = 0x10;

/** Turns one relocatable object into a shared object that Solana's loader accepts (SBPF v0). */
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

/** Writes addresses into code and constants, in place. */
function relocate(layout: Layout): { dynamicRelocations: DynamicRelocation[]; syscalls: string[] } {
  const dynamicRelocations = layout.placed.flatMap((home) =>
    home.section.relocations.flatMap((relocation) => apply(layout, home, relocation)),
  );
  const syscalls = [...new Set(dynamicRelocations.flatMap(({ syscall }) => syscall ?? []))];
  return { dynamicRelocations, syscalls };
}

function apply(layout: Layout, home: Placed, relocation: Relocation): DynamicRelocation[] {
  const { symbol, type } = relocation;
  const bytes = layout[home.part];
  const at = home.offset + relocation.offset;
  const address = home.address + relocation.offset;
  const isUndefined = symbol.section === 0;
  if (isUndefined && (type !== R_BPF_64_32 || !isSyscall(symbol.name))) {
    throw new ToolError(`undefined symbol ${symbol.name}, used in ${home.section.name}`);
  }
  switch (type) {
    case R_BPF_64_32: {
      if (bytes[at] !== OPCODE_CALL)
        throw new ToolError('call relocation on an instruction that is not a call');
      bytes[at + 1] = CALL_RELATIVE;
      if (isUndefined) {
        bytes.writeInt32LE(-1, at + 4);
        return [{ address, type, syscall: symbol.name }];
      }
      const addend = symbol.isSection ? (bytes.readInt32LE(at + 4) + 1) * 8 : 0;
      bytes.writeInt32LE((layout.addressOf(symbol) + addend - address) / 8 - 1, at + 4);
      return [];
    }
    case R_BPF_64_64: {
      if (bytes[at] !== OPCODE_LDDW)
        throw new ToolError('address relocation on an instruction that is not lddw');
      bytes.writeUInt32LE(layout.addressOf(symbol) + bytes.readUInt32LE(at + 4), at + 4);
      bytes[at + 1] = (bytes[at + 1] ?? 0) & 0x0f;
      bytes.writeUInt32LE(0, at + 12);
      return [{ address, type: R_BPF_64_RELATIVE }];
    }
    case R_BPF_64_ABS64: {
      const target = layout.addressOf(symbol) + Number(bytes.readBigUInt64LE(at));
      bytes.writeUInt32LE(0, at); // the loader reads the upper half
      bytes.writeUInt32LE(target, at + 4);
      return [{ address, type: R_BPF_64_RELATIVE }];
    }
    default:
      throw new ToolError(`relocation of unknown type ${type} in ${home.section.name}`);
  }
}

/** Undefined symbols must be syscalls. A compiler helper (memcpy, __multi3) means code that cannot be built here. */
const isSyscall = (name: string): boolean => name === 'abort' || name.startsWith('sol_');

function functionFinder(layout: Layout): (offset: number) => string {
  const functions = layout.functions.toSorted((a, b) => a.offset - b.offset);
  return (offset) =>
    functions.findLast((candidate) => candidate.offset <= offset)?.name ?? 'unknown function';
}
