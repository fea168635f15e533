export type Row = Readonly<Record<string, unknown>>;

/** Replaces what stands between `<!-- name -->` and `<!-- /name -->`. */
export function replacePart(document: string, name: string, text: string): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const from = document.indexOf(start);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`The document has no part "${name}"`);
  return `${document.slice(0, from + start.length)}\n${text}\n\n${document.slice(to)}`;
}

/** A Markdown table with a column for every number or text in any of the rows. */
export function toMarkdown(rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isPlain(row[name]))))];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    `|${'---|'.repeat(columns.length)}`,
    ...rows.map((row) => line(columns.map((name) => (isPlain(row[name]) ? toText(row[name]) : '')))),
  ].join('\n');
}

function isPlain(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

function toText(value: number | string): string {
  return typeof value === 'string' ? value.replaceAll('|', '\\|') : String(Number(value.toPrecision(5)));
}
