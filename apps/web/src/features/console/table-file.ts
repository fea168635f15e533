import type { ConsoleCell, ConsoleTable } from '@engulf/protocol/http/console';

/** A cell as text: a time whole, not as its age. */
function plainText(cell: ConsoleCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'object') return cell.at ?? cell.text;
  return String(cell);
}

export function tableJson({ columns, rows }: ConsoleTable): string {
  const plain = rows.map(({ cells }) =>
    Object.fromEntries(columns.map(({ key, label }) => [label, plainText(cells[key])])),
  );
  return JSON.stringify(plain, null, 2);
}

/** As RFC 4180 has it. Names are the players' own, so no cell may begin like a formula. */
export function tableCsv({ columns, rows }: ConsoleTable): string {
  const lines = [
    columns.map(({ label }) => label),
    ...rows.map(({ cells }) => columns.map(({ key }) => plainText(cells[key]))),
  ];
  return `${lines.map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
