import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { LOG_CODES } from './log-codes.ts';

const source = join(import.meta.dirname, '../..');
const runbook = readFileSync(join(source, '../../../docs/operations.md'), 'utf8');

/** The text between the parentheses that begin at `start`. */
function argumentsAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return text.slice(start + 1, at);
  }
  throw new Error('unbalanced');
}

/** Calls that write a warning or an error, with their arguments. */
function loudCalls(): { file: string; call: string }[] {
  const files = globSync('**/*.ts', { cwd: source }).filter(
    (file) => !file.endsWith('.test.ts') && !file.includes('testing/'),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), 'utf8');
    const starts = text.matchAll(/\b(?:logger|log)\.(?:warn|error|fatal)\(|\blog\(\s*'(?:warn|error)',/g);
    return [...starts].map(({ 0: match, index }) => {
      const open = index + match.indexOf('(');
      return { file, call: argumentsAt(text, open) };
    });
  });
}

test('every warning and every error has a code', () => {
  const calls = loudCalls();
  expect(calls.length).toBeGreaterThan(60);
  const silent = calls.filter(({ call }) => !/\bcode: '/.test(call));
  expect(silent).toEqual([]);
});

test('every code is used, and has a row in the runbook that says what to do', () => {
  const used = new Set(
    loudCalls().flatMap(({ call }) => [...call.matchAll(/\bcode: '(\w+)'/g)].map(([, code]) => code)),
  );
  const rows = runbook.split('\n').filter((line) => /^\| `[A-Z]/.test(line));
  const described = new Set(
    rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code)),
  );
  for (const code of LOG_CODES) expect(described, code).toContain(code);
  for (const code of LOG_CODES) expect(used, code).toContain(code);
});

test('a code that is not in the table does not compile', () => {
  const logger = pino({ level: 'silent' });
  // @ts-expect-error
  logger.error({ code: 'NO_SUCH_CODE' }, 'nobody would know what to do');
  logger.error({ code: 'POOL_SHORT' }, 'this one is known');
});

test('the table is in order, so that a code is found', () => {
  expect(LOG_CODES).toEqual(LOG_CODES.toSorted());
});
