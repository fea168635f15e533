import { staleFiles } from './stale-files.ts';

const stale = await staleFiles();
if (stale.length > 0) {
  console.error(`The generated client is not that of the IDL: ${stale.join(', ')}`);
  console.error('Run: npm run codegen -w @engulf/chain');
  process.exitCode = 1;
}
