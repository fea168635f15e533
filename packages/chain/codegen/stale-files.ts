import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderClient } from './render.ts';

/** The committed files that differ from a client generated now, including those missing on either side. */
export async function staleFiles(): Promise<string[]> {
  const committed = fileURLToPath(new URL('../src/generated', import.meta.url));
  const fresh = await mkdtemp(join(tmpdir(), 'engulf-client-'));
  try {
    await renderClient(fresh);
    const [committedFiles, freshFiles] = await Promise.all([readTree(committed), readTree(fresh)]);
    const names = new Set([...committedFiles.keys(), ...freshFiles.keys()]);
    return [...names].filter((name) => committedFiles.get(name) !== freshFiles.get(name)).sort();
  } finally {
    await rm(fresh, { recursive: true });
  }
}

async function readTree(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return new Map(files.map((file, index) => [file.slice(folder.length + 1), contents[index] ?? '']));
}
