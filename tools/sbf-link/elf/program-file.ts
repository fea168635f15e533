type Program = {
  /** Of the entrypoint in the code. */
  entrypoint: number;
  code: Buffer;
  constants: Buffer;
  /** Kept in the file, not loaded. */
  notes: { name: string; data: Buffer }[];
};

/** Where the loader puts the parts, whatever their place in the file. */
export const CONSTANTS_ADDRESS = 0n;
export const CODE_ADDRESS = 1n << 32n;

const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const SECTION_HEADER_BYTES = 64;
const SECTION = { progbits: 1, strtab: 3 };
const SEGMENT_LOAD = 1;
const PERMISSION = { exec: 1, read: 4 };
const SBPF_VERSION = 3;

type FileSection = { name: string; type: number; data: Buffer };

/**
 * Headers, constants, code: the loader takes them in this order only, without gaps, and nothing is left for it to relocate.
 * What follows is for readers of the notes.
 */
export function writeProgram({ entrypoint, code, constants, notes }: Program): Buffer {
  const segments = [
    { permission: PERMISSION.read, address: CONSTANTS_ADDRESS, data: constants },
    { permission: PERMISSION.exec, address: CODE_ADDRESS, data: code },
  ].filter(({ data }) => data.length > 0);
  let offset = ELF_HEADER_BYTES + segments.length * PROGRAM_HEADER_BYTES;
  const programHeaders = segments.map(({ permission, address, data }) => {
    const header = programHeader(permission, address, offset, data.length);
    offset += data.length;
    return header;
  });
  const { contents, table, tableAt, count } = writeSections(notes, offset);
  const header = elfHeader({ entrypoint, segments: segments.length, tableAt, count });
  return Buffer.concat([header, ...programHeaders, ...segments.map(({ data }) => data), contents, table]);
}

/** The contents in a row, and the table that describes them. The last section holds the names. */
function writeSections(notes: Program['notes'], base: number) {
  const all: FileSection[] = [
    ...notes.map(({ name, data }) => ({ name, data, type: SECTION.progbits })),
    { name: '.shstrtab', type: SECTION.strtab, data: Buffer.alloc(0) },
  ];
  const names = ['', ...all.map(({ name }) => name)];
  const nameAt = (index: number) => names.slice(0, index).reduce((sum, name) => sum + name.length + 1, 0);
  (all.at(-1) as FileSection).data = Buffer.from(`${names.join('\0')}\0`);

  const table = Buffer.alloc(SECTION_HEADER_BYTES * (all.length + 1));
  let offset = base;
  all.forEach(({ type, data }, index) => {
    const at = SECTION_HEADER_BYTES * (index + 1);
    table.writeUInt32LE(nameAt(index + 1), at);
    table.writeUInt32LE(type, at + 4);
    table.writeBigUInt64LE(BigInt(offset), at + 24);
    table.writeBigUInt64LE(BigInt(data.length), at + 32);
    table.writeBigUInt64LE(1n, at + 48);
    offset += padded(data).length;
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
  header.writeBigUInt64LE(CODE_ADDRESS + BigInt(parts.entrypoint), 24);
  header.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32);
  header.writeBigUInt64LE(BigInt(parts.tableAt), 40);
  header.writeUInt32LE(SBPF_VERSION, 48);
  header.writeUInt16LE(ELF_HEADER_BYTES, 52);
  header.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  header.writeUInt16LE(parts.segments, 56);
  header.writeUInt16LE(SECTION_HEADER_BYTES, 58);
  header.writeUInt16LE(parts.count, 60);
  header.writeUInt16LE(parts.count - 1, 62);
  return header;
}

function programHeader(permission: number, address: bigint, at: number, bytes: number): Buffer {
  const header = Buffer.alloc(PROGRAM_HEADER_BYTES);
  header.writeUInt32LE(SEGMENT_LOAD, 0);
  header.writeUInt32LE(permission, 4);
  [BigInt(at), address, address, BigInt(bytes), BigInt(bytes), 8n].forEach((value, field) => {
    header.writeBigUInt64LE(value, 8 + field * 8);
  });
  return header;
}

function padded(data: Buffer): Buffer {
  return Buffer.concat([data, Buffer.alloc((8 - (data.length % 8)) % 8)]);
}
