import { ToolError } from '../toolchain.ts';

/** The output of llc: ELF64, little-endian, relocatable, for BPF. */
export type ObjectFile = {
  sections: Section[];
  symbols: ObjectSymbol[];
};

export type Section = {
  index: number;
  name: string;
  kind: SectionKind;
  data: Buffer;
  align: number;
  relocations: Relocation[];
};

/**
 * - code, constants: loaded.
 * - note: kept in the file but not loaded, such as .security.txt.
 * - writable: not allowed in Solana programs.
 * - dropped: for linkers and debuggers.
 */
type SectionKind = 'code' | 'constants' | 'note' | 'writable' | 'dropped';

export type ObjectSymbol = {
  name: string;
  isFunction: boolean;
  isSection: boolean;
  /** 0 if the symbol is defined elsewhere. */
  section: number;
  value: number;
};

export type Relocation = {
  offset: number;
  type: number;
  symbol: ObjectSymbol;
};

const SHT_SYMTAB = 2;
const SHT_NOBITS = 8;
const SHT_REL = 9;
const SHF_ALLOC = 2;
const SHF_EXEC = 4;
const STT_FUNC = 2;
const STT_SECTION = 3;

export function parseObject(file: Buffer): ObjectFile {
  expectRelocatableBpf(file);
  const headers = readHeaders(file);
  const table = headers.find(({ type }) => type === SHT_SYMTAB);
  if (!table) throw new ToolError('the object has no symbol table');
  const symbols = readSymbols(file, table, headers[table.link]?.offset ?? 0);
  const sections = headers.map((header): Section => {
    const rel = headers.find(({ type, info }) => type === SHT_REL && info === header.index);
    return {
      index: header.index,
      name: header.name,
      kind: kindOf(header),
      data: header.type === SHT_NOBITS ? Buffer.alloc(header.size) : slice(file, header),
      align: Math.max(1, header.align),
      relocations: rel ? readRelocations(slice(file, rel), symbols) : [],
    };
  });
  return { sections, symbols };
}

type Header = {
  index: number;
  name: string;
  type: number;
  flags: number;
  offset: number;
  size: number;
  link: number;
  info: number;
  align: number;
};

function expectRelocatableBpf(file: Buffer): void {
  const isElf64 = file.readUInt32BE(0) === 0x7f454c46 && file[4] === 2 && file[5] === 1;
  const isRelocatableBpf = file.readUInt16LE(16) === 1 && file.readUInt16LE(18) === 247;
  if (!isElf64 || !isRelocatableBpf) throw new ToolError('not a relocatable object for BPF');
}

function readHeaders(file: Buffer): Header[] {
  const u64 = (at: number) => Number(file.readBigUInt64LE(at));
  const start = u64(40);
  const namesHeader = start + file.readUInt16LE(62) * 64;
  const names = u64(namesHeader + 24);
  return Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const at = start + index * 64;
    return {
      index,
      name: readName(file, names + file.readUInt32LE(at)),
      type: file.readUInt32LE(at + 4),
      flags: u64(at + 8),
      offset: u64(at + 24),
      size: u64(at + 32),
      link: file.readUInt32LE(at + 40),
      info: file.readUInt32LE(at + 44),
      align: u64(at + 48),
    };
  });
}

function readSymbols(file: Buffer, { offset, size }: Header, names: number): ObjectSymbol[] {
  return Array.from({ length: size / 24 }, (_, index) => {
    const at = offset + index * 24;
    const name = readName(file, names + file.readUInt32LE(at));
    const type = (file[at + 4] ?? 0) & 15;
    return {
      name: name === '__bpf_trap' ? 'abort' : name, // LLVM's name for unreachable code
      isFunction: type === STT_FUNC,
      isSection: type === STT_SECTION,
      section: file.readUInt16LE(at + 6),
      value: Number(file.readBigUInt64LE(at + 8)),
    };
  });
}

function readRelocations(entries: Buffer, symbols: readonly ObjectSymbol[]): Relocation[] {
  return Array.from({ length: entries.length / 16 }, (_, index) => ({
    offset: Number(entries.readBigUInt64LE(index * 16)),
    type: entries.readUInt32LE(index * 16 + 8),
    symbol: symbols[entries.readUInt32LE(index * 16 + 12)] as ObjectSymbol,
  }));
}

function kindOf({ name, type, flags }: Header): SectionKind {
  if (flags & SHF_EXEC) return 'code';
  // The loader would take .eh_frame for loaded data.
  if (!(flags & SHF_ALLOC) || /^\.(eh_frame|debug|BTF|comment|note|llvm)/.test(name)) return 'dropped';
  if (/^\.(rodata|data\.rel\.ro)/.test(name)) return 'constants';
  if (type === SHT_NOBITS || /^\.(data|bss|tdata|tbss)/.test(name)) return 'writable';
  return 'note';
}

const slice = (file: Buffer, { offset, size }: Header): Buffer =>
  Buffer.from(file.subarray(offset, offset + size));

const readName = (file: Buffer, at: number): string => file.toString('latin1', at, file.indexOf(0, at));
