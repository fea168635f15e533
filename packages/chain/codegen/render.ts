import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AnchorIdl, rootNodeFromAnchor } from '@codama/nodes-from-anchor';
import { renderVisitor } from '@codama/renderers-js';
import { createFromRoot } from 'codama';
import { adaptClient } from './adapt.ts';

const IDL = new URL('../../../programs/arena/idl/arena.json', import.meta.url);
export const GENERATED_FOLDER = fileURLToPath(new URL('../src/generated', import.meta.url));

/** Writes the program's TypeScript client into `folder`, replacing what was there. */
export async function renderClient(folder: string): Promise<void> {
  const idl = JSON.parse(await readFile(IDL, 'utf8')) as AnchorIdl;
  await createFromRoot(rootNodeFromAnchor(idl)).accept(
    renderVisitor(folder, {
      deleteFolderBeforeRendering: true,
      syncPackageJson: false,
      generatedFolder: '.',
      kitImportStrategy: 'rootOnly',
    }),
  );
  await adaptClient(folder);
}

/** The committed files that differ from a freshly generated client, including those missing on either side. */
export async function staleFiles(): Promise<string[]> {
  const fresh = await mkdtemp(join(tmpdir(), 'engulf-client-'));
  try {
    await renderClient(fresh);
    const [committedFiles, freshFiles] = await Promise.all([readTree(GENERATED_FOLDER), readTree(fresh)]);
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
