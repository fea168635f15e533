import type { Signature } from '@solana/kit';
import type { Balances } from './accounts.ts';

export function printTransaction(what: string, signature: Signature): void {
  console.log(`${what}\n  ${signature}`);
}

export function printBalances(before: Balances, after: Balances): void {
  const rows = [...before].map(([name, { lamports, tokens }]) => [
    name,
    String(lamports),
    String(after.get(name)?.lamports),
    String(tokens),
    String(after.get(name)?.tokens),
  ]);
  const header = ['', 'lamports before', 'lamports after', 'GULP before', 'GULP after'];
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  console.log();
  for (const row of [header, ...rows]) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  '));
  }
}
