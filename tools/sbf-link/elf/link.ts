import { ToolError } from '../toolchain.ts';
import { checkBytecode, OPCODE_CALL, OPCODE_LDDW } from './bytecode.ts';
import { type Layout, layOut, type Placed } from './layout.ts';
import { parseObject, type Relocation } from './object-file.ts';
import { CODE_ADDRESS, writeProgram } from './program-file.ts';
import { syscallHash } from './syscall-hash.ts';

const R_BPF_64_64 = 1;
const R_BPF_64_ABS64 = 2;
const R_BPF_64_32 = 10;

/** Marks a call whose target is an offset in the code, not the number of a function of the runtime. */
const CALL_RELATIVE = 0x10;

/** Turns one relocatable object into a program that Solana's loader accepts (SBPF v3). */
export function linkObject(file: Buffer, options: { entrypoint: string; kept: readonly string[] }): Buffer {
  const object = parseObject(file);
  const entrypoint = object.symbols.find(({ name, section }) => name === options.entrypoint && section !== 0);
  if (!entrypoint) throw new ToolError(`the program has no ${options.entrypoint}`);
  const kept = object.symbols.filter(({ name, section }) => section !== 0 && options.kept.includes(name));

  const layout = layOut(object, [entrypoint, ...kept]);
  for (const home of layout.placed) {
    for (const relocation of home.section.relocations) apply(layout, home, relocation);
  }
  checkBytecode(layout.code, functionFinder(layout));
  const { code, constants, notes } = layout;
  return writeProgram({
    entrypoint: layout.addressOf(entrypoint) - Number(CODE_ADDRESS),
    code,
    constants,
    notes,
  });
}

/** Writes an address into code or constants, in place. */
function apply(layout: Layout, home: Placed, relocation: Relocation): void {
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
      if (isUndefined) {
        bytes[at + 1] = 0;
        bytes.writeUInt32LE(syscallHash(symbol.name), at + 4);
        return;
      }
      bytes[at + 1] = CALL_RELATIVE;
      const addend = symbol.isSection ? (bytes.readInt32LE(at + 4) + 1) * 8 : 0;
      bytes.writeInt32LE((layout.addressOf(symbol) + addend - address) / 8 - 1, at + 4);
      return;
    }
    case R_BPF_64_64: {
      if (bytes[at] !== OPCODE_LDDW)
        throw new ToolError('address relocation on an instruction that is not lddw');
      const target = BigInt(layout.addressOf(symbol) + bytes.readUInt32LE(at + 4));
      bytes[at + 1] = (bytes[at + 1] ?? 0) & 0x0f;
      bytes.writeUInt32LE(Number(target & 0xffff_ffffn), at + 4);
      bytes.writeUInt32LE(Number(target >> 32n), at + 12);
      return;
    }
    case R_BPF_64_ABS64: {
      bytes.writeBigUInt64LE(BigInt(layout.addressOf(symbol)) + bytes.readBigUInt64LE(at), at);
      return;
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
