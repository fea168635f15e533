type SharedObject = {
  entrypoint: number;
  code: Buffer;
  constants: Buffer;
  /** Constants that hold addresses. */
  relocated: Buffer;
  /** Kept in the file, not loaded. */
  notes: { name: string; data: Buffer }[];
  dynamicRelocations: DynamicRelocation[];
  syscalls: string[];
};

/** What the loader still has to do: fix up an address, or call the runtime by name. */
export type DynamicRelocation = {
  address: number;
  type: typeof R_BPF_64_RELATIVE | typeof R_BPF_64_32;
  /** Only for calls of the runtime. */
  syscall?: string;
};

export const R_BPF_64_RELATIVE = 8;
export const R_BPF_64_32 = 10;

/** Everything is loaded at its offset in the file, starting after the headers. */
export function firstLoadedByte(hasConstants: boolean): number {
  return ELF_HEADER_BYTES + (hasConstants ? 4 : 3) * PROGRAM_HEADER_BYTES;
}

const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const SECTION_HEADER_BYTES = 64;
const SYMBOL_BYTES = 24;
const RELOCATION_BYTES = 16;
const DYNAMIC_ENTRIES = 9;

const FLAG = { write: 1, alloc: 2, exec: 4 };
const SECTION = { progbits: 1, strtab: 3, dynamic: 6, rel: 9, dynsym: 11 };
const SEGMENT = { load: 1, dynamic: 2 };
const PERMISSION = { exec: 1, readWrite: 6, read: 4 };
const TAG = { strtab: 5, symtab: 6, strsz: 10, syment: 11, rel: 17, relsz: 18, relent: 19, flags: 30 };
const DF_TEXTREL = 4;

type FileSection = {
  name: string;
  type: number;
  flags: number;
  data: Buffer;
  link?: number;
  info?: number;
  entryBytes?: number;
};

export function writeSharedObject(object: SharedObject): Buffer {
  const { code, constants, relocated, notes } = object;
  const hasConstants = constants.length + relocated.length > 0;
  const base = firstLoadedByte(hasConstants);
  const dynamicAt = base + code.length + constants.length + relocated.length;
  const { names, symbols } = writeDynamicSymbols(object.syscalls);
  const relocations = writeRelocations(object);
  const symbolsAt = dynamicAt + DYNAMIC_ENTRIES * 16;
  const namesAt = symbolsAt + symbols.length;
  const relocationsAt = namesAt + padded(names).length;
  const dynamic = writeDynamic([
    [TAG.flags, DF_TEXTREL],
    [TAG.rel, relocationsAt],
    [TAG.relsz, relocations.length],
    [TAG.relent, RELOCATION_BYTES],
    [TAG.symtab, symbolsAt],
    [TAG.syment, SYMBOL_BYTES],
    [TAG.strtab, namesAt],
    [TAG.strsz, names.length],
  ]);

  const loaded: FileSection[] = [
    { name: '.text', type: SECTION.progbits, flags: FLAG.alloc | FLAG.exec, data: code },
    { name: '.rodata', type: SECTION.progbits, flags: FLAG.alloc, data: constants },
    { name: '.data.rel.ro', type: SECTION.progbits, flags: FLAG.alloc | FLAG.write, data: relocated },
  ].filter(({ data }) => data.length > 0);
  const symbolsIndex = loaded.length + 2;
  const namesIndex = symbolsIndex + 1;
  const sections: FileSection[] = [
    ...loaded,
    {
      name: '.dynamic',
      type: SECTION.dynamic,
      flags: FLAG.alloc | FLAG.write,
      data: dynamic,
      link: namesIndex,
      entryBytes: 16,
    },
    {
      name: '.dynsym',
      type: SECTION.dynsym,
      flags: FLAG.alloc,
      data: symbols,
      link: namesIndex,
      info: 1,
      entryBytes: SYMBOL_BYTES,
    },
    { name: '.dynstr', type: SECTION.strtab, flags: FLAG.alloc, data: names },
    {
      name: '.rel.dyn',
      type: SECTION.rel,
      flags: FLAG.alloc,
      data: relocations,
      link: symbolsIndex,
      entryBytes: RELOCATION_BYTES,
    },
    ...notes.map(({ name, data }) => ({ name, type: SECTION.progbits, flags: 0, data })),
  ];
  const programHeaders = [
    programHeader(SEGMENT.load, PERMISSION.read | PERMISSION.exec, base, code.length),
    ...(hasConstants
      ? [
          programHeader(
            SEGMENT.load,
            PERMISSION.read,
            base + code.length,
            constants.length + relocated.length,
          ),
        ]
      : []),
    programHeader(SEGMENT.load, PERMISSION.read, dynamicAt, relocationsAt + relocations.length - dynamicAt),
    programHeader(SEGMENT.dynamic, PERMISSION.readWrite, dynamicAt, dynamic.length),
  ];
  const { contents, table, tableAt, count } = writeSections(sections, base);
  const header = elfHeader({
    entrypoint: object.entrypoint,
    segments: programHeaders.length,
    tableAt,
    count,
  });
  return Buffer.concat([header, ...programHeaders, contents, table]);
}

/** The runtime's functions that the program calls, by name. */
function writeDynamicSymbols(syscalls: readonly string[]): { names: Buffer; symbols: Buffer } {
  const symbols = Buffer.alloc(SYMBOL_BYTES * (syscalls.length + 1));
  let names = '\0';
  syscalls.forEach((syscall, index) => {
    const at = SYMBOL_BYTES * (index + 1);
    symbols.writeUInt32LE(names.length, at);
    symbols[at + 4] = 0x10; // global, no type
    names += `${syscall}\0`;
  });
  return { names: Buffer.from(names), symbols };
}

function writeRelocations({ dynamicRelocations, syscalls }: SharedObject): Buffer {
  const sorted = dynamicRelocations.toSorted((a, b) => a.address - b.address);
  const bytes = Buffer.alloc(RELOCATION_BYTES * sorted.length);
  sorted.forEach(({ address, type, syscall }, index) => {
    bytes.writeBigUInt64LE(BigInt(address), index * RELOCATION_BYTES);
    bytes.writeUInt32LE(type, index * RELOCATION_BYTES + 8);
    const symbol = type === R_BPF_64_32 ? syscalls.indexOf(syscall ?? '') + 1 : 0;
    bytes.writeUInt32LE(symbol, index * RELOCATION_BYTES + 12);
  });
  return bytes;
}

/** One entry more than given: zeros end the list. */
function writeDynamic(entries: readonly (readonly [tag: number, value: number])[]): Buffer {
  const bytes = Buffer.alloc(DYNAMIC_ENTRIES * 16);
  entries.forEach(([tag, value], index) => {
    bytes.writeBigUInt64LE(BigInt(tag), index * 16);
    bytes.writeBigUInt64LE(BigInt(value), index * 16 + 8);
  });
  return bytes;
}

/** The contents in a row, and the table that describes them. The last section holds the names. */
function writeSections(sections: readonly FileSection[], base: number) {
  const all: FileSection[] = [
    ...sections,
    { name: '.shstrtab', type: SECTION.strtab, flags: 0, data: Buffer.alloc(0) },
  ];
  const names = ['', ...all.map(({ name }) => name)];
  const nameAt = (index: number) => names.slice(0, index).reduce((sum, name) => sum + name.length + 1, 0);
  (all.at(-1) as FileSection).data = Buffer.from(`${names.join('\0')}\0`);

  const table = Buffer.alloc(SECTION_HEADER_BYTES * (all.length + 1));
  let offset = base;
  all.forEach((section, index) => {
    const at = SECTION_HEADER_BYTES * (index + 1);
    table.writeUInt32LE(nameAt(index + 1), at);
    table.writeUInt32LE(section.type, at + 4);
    const address = section.flags & FLAG.alloc ? offset : 0;
    [section.flags, address, offset, section.data.length].forEach((value, field) => {
      table.writeBigUInt64LE(BigInt(value), at + 8 + field * 8);
    });
    table.writeUInt32LE(section.link ?? 0, at + 40);
    table.writeUInt32LE(section.info ?? 0, at + 44);
    table.writeBigUInt64LE(section.type === SECTION.strtab ? 1n : 8n, at + 48);
    table.writeBigUInt64LE(BigInt(section.entryBytes ?? 0), at + 56);
    offset += padded(section.data).length;
  });
  const contents = Buffer.concat(all.map(({ data }) => padded(data)));
  return { contents, table, tableAt: offset, count: all.length + 1 };
}

function elfHeader(parts: { entrypoint: number; segments: number; tableAt: number; count: number }): Buffer {
  const header = Buffer.alloc(ELF_HEADER_BYTES);
  header.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  header.writeUInt16LE(3, 16); // ET_DYN
  header.writeUInt16LE(247, 18); // EM_BPF
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(parts.entrypoint), 24);
  header.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32);
  header.writeBigUInt64LE(BigInt(parts.tableAt), 40);
  header.writeUInt32LE(0, 48); // SBPF v0
  header.writeUInt16LE(ELF_HEADER_BYTES, 52);
  header.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  header.writeUInt16LE(parts.segments, 56);
  header.writeUInt16LE(SECTION_HEADER_BYTES, 58);
  header.writeUInt16LE(parts.count, 60);
  header.writeUInt16LE(parts.count - 1, 62);
  return header;
}

function programHeader(type: number, permissions: number, at: number, bytes: number): Buffer {
  const header = Buffer.alloc(PROGRAM_HEADER_BYTES);
  header.writeUInt32LE(type, 0);
  header.writeUInt32LE(permissions, 4);
  const alignment = type === SEGMENT.load ? 4096 : 8;
  [at, at, at, bytes, bytes, alignment].forEach((value, field) => {
    header.writeBigUInt64LE(BigInt(value), 8 + field * 8);
  });
  return header;
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((8 - (data.length % 8)) % 8)]);
}
