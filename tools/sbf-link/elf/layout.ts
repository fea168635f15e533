import { ToolError } from '../toolchain.ts';
import type { ObjectFile, ObjectSymbol, Section } from './object-file.ts';
import { firstLoadedByte } from './shared-object.ts';

/** Where everything goes in the shared object. Addresses are file offsets. */
export type Layout = {
  code: Buffer;
  constants: Buffer;
  relocated: Buffer;
  notes: { name: string; data: Buffer }[];
  /** The sections in `code`, `constants` and `relocated`, and where they are. */
  placed: Placed[];
  functions: { name: string; offset: number }[];
  addressOf: (symbol: ObjectSymbol) => number;
};

export type Placed = {
  section: Section;
  part: Part;
  /** Within the part. */
  offset: number;
  address: number;
};

type Part = 'code' | 'constants' | 'relocated';
const PARTS: readonly Part[] = ['code', 'constants', 'relocated'];

export function layOut(object: ObjectFile, roots: readonly ObjectSymbol[]): Layout {
  const live = reachable(object, roots);
  const writable = live.find(({ kind }) => kind === 'writable');
  if (writable) throw new ToolError(`section ${writable.name}: Solana programs have no writable statics`);

  const placed = PARTS.flatMap((part) => place(live, part));
  const [code, constants, relocated] = PARTS.map((part) => fill(placed.filter((p) => p.part === part))) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const base = firstLoadedByte(constants.length + relocated.length > 0);
  const starts: Record<Part, number> = {
    code: base,
    constants: base + code.length,
    relocated: base + code.length + constants.length,
  };
  for (const p of placed) p.address = starts[p.part] + p.offset;
  const bySection = new Map(placed.map((p) => [p.section.index, p]));
  return {
    code,
    constants,
    relocated,
    notes: live.filter(({ kind }) => kind === 'note').map(({ name, data }) => ({ name, data })),
    placed,
    functions: object.symbols.flatMap(({ name, isFunction, section, value }) => {
      const home = bySection.get(section);
      return isFunction && home?.part === 'code' ? [{ name, offset: home.offset + value }] : [];
    }),
    addressOf: ({ name, section, value }) => {
      const home = bySection.get(section);
      if (!home) throw new ToolError(`${name || object.sections[section]?.name} is used, but not loaded`);
      return home.address + value;
    },
  };
}

/** Sections reachable from the roots, and the notes. */
function reachable({ sections }: ObjectFile, roots: readonly ObjectSymbol[]): Section[] {
  const live = new Set<Section>();
  const queue = sections.filter(({ kind }) => kind === 'note');
  queue.push(...roots.flatMap(({ section }) => sections[section] ?? []));
  for (let section = queue.pop(); section; section = queue.pop()) {
    if (live.has(section)) continue;
    live.add(section);
    queue.push(
      ...section.relocations.flatMap(({ symbol }) =>
        symbol.section ? (sections[symbol.section] ?? []) : [],
      ),
    );
  }
  return sections.filter((section) => live.has(section) && section.data.length > 0);
}

function place(sections: readonly Section[], part: Part): Placed[] {
  let end = 0;
  return sections
    .filter(({ kind }) => kind === part)
    .map((section) => {
      const offset = Math.ceil(end / section.align) * section.align;
      end = offset + section.data.length;
      return { section, part, offset, address: 0 };
    });
}

function fill(placed: readonly Placed[]): Buffer {
  const last = placed.at(-1);
  const bytes = Buffer.alloc(last ? Math.ceil((last.offset + last.section.data.length) / 8) * 8 : 0);
  for (const { section, offset } of placed) section.data.copy(bytes, offset);
  return bytes;
}
