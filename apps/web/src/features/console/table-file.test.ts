import type { ConsoleTable } from '@engulf/protocol/http/console';
import { expect, test } from 'vitest';
import { linkText, readLink } from './console-link.ts';
import { tableCsv, tableJson } from './table-file.ts';

const table = (name: string): ConsoleTable => ({
  kind: 'table',
  title: 'Players',
  columns: [
    { key: 'a', label: 'player' },
    { key: 'b', label: 'when' },
  ],
  rows: [
    {
      cells: { a: { text: name, to: '?view=player' }, b: { text: 'x', at: '2026-11-18T12:00:00.000Z' } },
      actions: [],
    },
  ],
  empty: '',
});

test('a table as CSV quotes what has to be quoted, and runs nothing in a spreadsheet', () => {
  expect(tableCsv(table('Al "the cell", Jr'))).toBe(
    'player,when\r\n"Al ""the cell"", Jr",2026-11-18T12:00:00.000Z\r\n',
  );
  expect(tableCsv(table('=HYPERLINK(1)'))).toContain("'=HYPERLINK(1)");
  expect(tableCsv(table('@x'))).toContain("'@x");
});

test('a table as JSON has whole times and the labels as names', () => {
  expect(JSON.parse(tableJson(table('Al')))).toEqual([{ player: 'Al', when: '2026-11-18T12:00:00.000Z' }]);
});

test('a link says where somebody is, and an unknown view is the first one', () => {
  const link = { view: 'players', q: 'a b&c' } as const;
  expect(readLink(linkText(link))).toEqual(link);
  expect(readLink('?view=root&range=year')).toEqual({ view: 'now' });
});
