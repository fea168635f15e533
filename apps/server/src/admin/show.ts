import type { Answer } from './command.ts';

type Cell = string | number | bigint | boolean | Date | null | undefined;
export type Row = { readonly [column: string]: Cell };

export function toJson(data: unknown): string {
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? value.toString() : value), 2);
}

/** A table for people, or the rows as JSON. */
export function showTable(rows: readonly Row[], ifNone: string): Answer {
  const [first] = rows;
  if (!first) return { data: [], lines: [ifNone] };
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => cellText(row[column])));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]!.length)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => text.padEnd(widths[index]!))
      .join('  ')
      .trimEnd();
  return { data: rows, lines: [line(columns), ...cells.map(line)] };
}

/** One thing with its fields below each other. */
export function showFields(fields: Row): Answer {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`);
  return { data: fields, lines };
}

/** `before` and `after` in one line; undefined if they are the same. */
export function showDifference(what: string, before: Cell, after: Cell): string | undefined {
  const [left, right] = [cellText(before), cellText(after)];
  return left === right ? undefined : `${what}: ${left} → ${right}`;
}

function cellText(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-';
  if (cell instanceof Date) return `${cell.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return String(cell);
}
