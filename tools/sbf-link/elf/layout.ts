import { ToolError } from '../toolchain.ts';
import type { ObjectFile, ObjectSymbol, Section } from './object-file.ts';
import { CODE_ADDRESS, CONSTANTS_ADDRESS } from './program-file.ts';

/** Where everything goes. Addresses are those at which the runtime loads it. */
export type Layout = {
  code: Buffer;
  constants: Buffer;
  notes: { name: string; data: Buffer }[];
  /** The sections in `code` and `constants`, and where they are. */
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

type Part = 'code' | 'constants';

/** Constants are loaded at address 0, and a pointer to what lay there would count as none. */
const NEVER_POINTED_AT = 8;
const STARTS: Record<Part, number> = { code: 0, constants: NEVER_POINTED_AT };
const ADDRESSES: Record<Part, number> = { code: Number(CODE_ADDRESS), constants: Number(CONSTANTS_ADDRESS) };

export function layOut(object: ObjectFile, roots: readonly ObjectSymbol[]): Layout {
  const live = reachable(object, roots);
  const writable = live.find(({ kind }) => kind === 'writable');
  if (writable) throw new ToolError(`section ${writable.name}: Solana programs have no writable statics`);

  const [code, constants] = [place(live, 'code'), place(live, 'constants')];
  const placed = [...code, ...constants];
  const bySection = new Map(placed.map((p) => [p.section.index, p]));
  return {
    code: fill(code),
    constants: fill(constants),
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
  let end = STARTS[part];
  return sections
    .filter(({ kind }) => kind === part)
    .map((section) => {
      const offset = Math.ceil(end / section.align) * section.align;
      end = offset + section.data.length;
      return { section, part, offset, address: ADDRESSES[part] + offset };
    });
}

function fill(placed: readonly Placed[]): Buffer {
  const last = placed.at(-1);
  const bytes = Buffer.alloc(last ? Math.ceil((last.offset + last.section.data.length) / 8) * 8 : 0);
  for (const { section, offset } of placed) section.data.copy(bytes, offset);
  return bytes;
}
