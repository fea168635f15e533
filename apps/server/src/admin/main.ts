import { quickenImports } from '../platform/quick-imports.ts';

quickenImports();
const { runCommandLine } = await import('./command-line.ts');

process.exit(await runCommandLine(process.argv.slice(2)));
