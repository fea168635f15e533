import { ToolError } from '../toolchain.ts';

/** Reads LLVM IR text: just enough of the grammar to take signatures and calls apart. */

/** A global name: plain or quoted. */
export const GLOBAL_NAME = String.raw`@(?:"[^"]+"|[\w.$-]+)`;

/** An argument or parameter, such as `ptr noundef align 8 %x`. */
export type TypedValue = {
  type: string;
  value: string;
  text: string;
};

const OPENING = '([{<';
const CLOSING = ')]}>';

/** Splits at the commas outside all brackets. */
export function splitTopLevel(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { index, char, depth } of unquoted(text)) {
    if (char !== ',' || depth !== 0) continue;
    parts.push(text.slice(start, index).trim());
    start = index + 1;
  }
  const last = text.slice(start).trim();
  return last ? [...parts, last] : parts;
}

/** The text between the bracket at `open` and its closing bracket, and the position of that. */
export function bracketed(text: string, open: number): { inner: string; end: number } {
  for (const { index, char, depth } of unquoted(text.slice(open))) {
    if (depth === 0 && CLOSING.includes(char))
      return { inner: text.slice(open + 1, open + index), end: open + index };
  }
  throw new ToolError(`unbalanced brackets in IR: ${text}`);
}

/** The type at the start of `{ i64, i64 } %x`. */
export function leadingType(text: string): string {
  if (OPENING.includes(text[0] ?? '')) return text.slice(0, bracketed(text, 0).end + 1);
  const name = /^[\w.]+/.exec(text)?.[0];
  if (!name) throw new ToolError(`no type in IR: ${text}`);
  return name;
}

/** The type at the end of `internal fastcc noundef { i64, i64 }`. */
export function trailingType(text: string): string {
  if (!CLOSING.includes(text.at(-1) ?? '')) return leadingType(/[\w.]+$/.exec(text)?.[0] ?? '');
  for (let open = 0; open < text.length; open++) {
    if (OPENING.includes(text[open] ?? '') && bracketed(text, open).end === text.length - 1)
      return text.slice(open);
  }
  throw new ToolError(`no type in IR: ${text}`);
}

/** Drops the attributes: `ptr noundef align 8 %x` is the value %x of type ptr. */
export function parseTypedValue(text: string): TypedValue {
  const type = leadingType(text);
  let rest = text.slice(type.length).trim();
  for (;;) {
    const attribute = /^[a-z_]+/.exec(rest)?.[0];
    if (!attribute || CONSTANTS.has(attribute)) return { type, value: rest, text };
    rest = rest.slice(attribute.length).trimStart();
    if (rest.startsWith('(')) rest = rest.slice(bracketed(rest, 0).end + 1).trimStart();
    else if (attribute === 'align') rest = rest.replace(/^\d+\s*/, '');
  }
}

/** Values that start with a word and are not attributes. */
const CONSTANTS = new Set(
  'null undef poison true false zeroinitializer getelementptr inttoptr ptrtoint trunc add sub xor splat'.split(
    ' ',
  ),
);

/** How many 64-bit registers a value takes. */
export function registersOf(type: string): number {
  const array = /^\[(\d+) x (.*)\]$/.exec(type);
  if (array) return Number(array[1]) * registersOf(array[2] ?? '');
  if (type.startsWith('{'))
    return splitTopLevel(type.slice(1, -1)).reduce((sum, part) => sum + registersOf(part), 0);
  const integer = /^i(\d+)$/.exec(type);
  return integer ? Math.ceil(Number(integer[1]) / 64) : 1;
}

/** Every character outside quotes, with its bracket depth (a bracket counts as outside itself). */
function* unquoted(text: string): Generator<{ index: number; char: string; depth: number }> {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index] ?? '';
    if (char === '"') quoted = !quoted;
    else if (!quoted) {
      if (CLOSING.includes(char)) depth--;
      yield { index, char, depth };
      if (OPENING.includes(char)) depth++;
    }
  }
}
