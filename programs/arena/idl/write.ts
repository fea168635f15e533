import { writeFileSync } from 'node:fs';
import { arenaIdl } from './arena.ts';

writeFileSync(new URL('arena.json', import.meta.url), `${JSON.stringify(arenaIdl, null, 2)}\n`);
