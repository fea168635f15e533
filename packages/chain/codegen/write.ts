/** Writes src/generated from the program's IDL; with --check it only reports files that are stale. */
import { GENERATED_FOLDER, renderClient, staleFiles } from './render.ts';

if (process.argv.includes('--check')) {
  const stale = await staleFiles();
  if (stale.length > 0) {
    console.error(`The generated client does not match the IDL: ${stale.join(', ')}`);
    console.error('Run: npm run codegen -w @engulf/chain');
    process.exitCode = 1;
  }
} else {
  await renderClient(GENERATED_FOLDER);
}
