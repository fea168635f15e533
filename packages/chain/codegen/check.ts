import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderClient } from './render.ts';

const committed = fileURLToPath(new URL('../src/generated', import.meta.url));
const fresh = await mkdtemp(join(tmpdir(), 'engulf-client-'));
try {
  await renderClient(fresh);
  const stale = await differingFiles(committed, fresh);
  if (stale.length > 0) {
    console.error(`The generated client is not that of the IDL: ${stale.join(', ')}`);
    console.error('Run: npm run codegen -w @engulf/chain');
    process.exitCode = 1;
  }
} finally {
  await rm(fresh, { recursive: true });
}

async function differingFiles(left: string, right: string): Promise<string[]> {
  const [leftFiles, rightFiles] = await Promise.all([readTree(left), readTree(right)]);
  const names = new Set([...leftFiles.keys(), ...rightFiles.keys()]);
  return [...names].filter((name) => leftFiles.get(name) !== rightFiles.get(name)).sort();
}

async function readTree(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(files.map((file, index) => [file.slice(folder.length + 1), contents[index] ?? '']));
}
