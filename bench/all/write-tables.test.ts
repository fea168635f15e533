import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BENCHMARKS } from './benchmarks.ts';
import { replacePart, toMarkdown } from './write-tables.ts';

test('a table has a column for every figure in any row, and none for what is nested', () => {
  const rows = [
    { clients: 10, kbpsDown: 0.123456789, bytesByKind: { deltaUpdate: 1 } },
    { clients: 100, line: 'a|b' },
  ];
  expect(toMarkdown(rows)).toBe(
    ['| clients | kbpsDown | line |', '|---|---|---|', '| 10 | 0.12346 |  |', '| 100 |  | a\\|b |'].join(
      '\n',
    ),
  );
});

test('only the named part of a document is replaced, as often as wanted', () => {
  const document =
    'before\n<!-- room -->\nold\n<!-- /room -->\nbetween\n<!-- idle -->\n<!-- /idle -->\nafter\n';
  const once = replacePart(document, 'room', '| new |');
  expect(once).toBe(
    'before\n<!-- room -->\n\n| new |\n\n<!-- /room -->\nbetween\n<!-- idle -->\n<!-- /idle -->\nafter\n',
  );
  expect(replacePart(once, 'room', '| new |')).toBe(once);
});

test.each(['menu', 'room'])('a document without the part %s is refused', (name) => {
  expect(() => replacePart('<!-- room -->\nno end', name, '')).toThrow(name);
});

test('the document has a part for the machine and for every benchmark', () => {
  const document = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  for (const name of ['machine', ...BENCHMARKS.map((benchmark) => benchmark.name)]) {
    expect(() => replacePart(document, name, '')).not.toThrow();
  }
});
