import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const source = join(import.meta.dirname, '../src');

test('the chain package uses nothing that browsers lack', () => {
  const files = globSync('**/*.ts', { cwd: source }).filter((file) => !/\.test\.ts$|^testing/.test(file));
  expect(files.length).toBeGreaterThan(20);
  const offending = files.filter((file) =>
    /\b(Buffer|process|require|__dirname)\b\s*[.([]|from ['"]node:/.test(
      readFileSync(join(source, file), 'utf8'),
    ),
  );
  expect(offending).toEqual([]);
});
