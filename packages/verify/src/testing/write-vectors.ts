import { writeFileSync } from 'node:fs';
import { formatVectors, VECTORS_FILE, vectorsText } from './format-vectors.ts';

writeFileSync(VECTORS_FILE, vectorsText(await formatVectors()));
