import { readFile } from 'node:fs/promises';
import { type AnchorIdl, rootNodeFromAnchor } from '@codama/nodes-from-anchor';
import { renderVisitor } from '@codama/renderers-js';
import { createFromRoot } from 'codama';
import { adaptClient } from './adapt.ts';

const IDL = new URL('../../../programs/arena/idl/arena.json', import.meta.url);

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
