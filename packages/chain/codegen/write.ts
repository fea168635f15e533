import { fileURLToPath } from 'node:url';
import { renderClient } from './render.ts';

await renderClient(fileURLToPath(new URL('../src/generated', import.meta.url)));
