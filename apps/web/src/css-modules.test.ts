import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = import.meta.dirname;

/** Each stylesheet with the sources of all components that import it. */
const sheets = new Map<string, string>();
for (const path of globSync('**/*.tsx', { cwd: root })) {
  const source = readFileSync(join(root, path), 'utf8');
  const imported = /import styles from '([./\w-]+\.module\.css)'/.exec(source)?.[1];
  if (imported === undefined) continue;
  const sheet = join(dirname(path), imported);
  sheets.set(sheet, (sheets.get(sheet) ?? '') + source);
}

/** The compiler accepts any class name. */
describe.each([...sheets])('the classes of %s', (sheet, source) => {
  const css = readFileSync(join(root, sheet), 'utf8');
  const defined = new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)/g)].map((match) => match[1]!));
  const used = new Set([...source.matchAll(/styles\.(\w+)/g)].map((match) => match[1]!));

  test('are all defined', () => {
    expect([...used].filter((name) => !defined.has(name))).toEqual([]);
  });

  // Classes picked by name at run time cannot be checked.
  if (!source.includes('styles[')) {
    test('are all used', () => {
      expect([...defined].filter((name) => !used.has(name))).toEqual([]);
    });
  }
});
