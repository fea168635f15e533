import { runChainDemo } from '../packages/localnet/demo/run.ts';

process.exitCode = (await runChainDemo()) ? 0 : 1;
