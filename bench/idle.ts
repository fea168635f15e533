import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { childrenOf, cpuMsOf, rssMbOf } from '@engulf/trials/process-usage';
import { createServerHome } from '@engulf/trials/server-home';

/*
 * What the server costs while nobody is connected: database, rooms and worker in one process and the chain in another, as
 * `npm start` runs them. Linux only.
 */

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, seconds: { type: 'string', default: '30' } },
});
const seconds = Number(values.seconds);
if (!Number.isInteger(seconds) || seconds < 1) throw new Error('--seconds takes a whole number');

/** By then the lobbies are paused and memory was returned; V8 collects twice more within half a minute. */
const SETTLE_MS = 130_000;
/** As in `npm start`; tests use a faster chain. The rest is the environment of this process. */
const ENVIRONMENT = {
  LOCALNET_SLOT_MS: '400',
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(MALLOC_|NODE_COMPILE_CACHE$)/.test(name)),
  ),
} as Record<string, string>;

const home = await createServerHome();
try {
  // The first start after a change compiles it.
  await (await home.start(ENVIRONMENT)).kill('SIGKILL');
  const { pid } = await home.start(ENVIRONMENT);
  await sleep(SETTLE_MS);
  const sumOver = (measure: (each: number) => number) =>
    [pid, ...childrenOf(pid)].reduce((sum, each) => sum + measure(each), 0);
  const [beforeMs, startedMs] = [sumOver(cpuMsOf), performance.now()];
  await sleep(seconds * 1000);
  const cpuPct = ((sumOver(cpuMsOf) - beforeMs) / (performance.now() - startedMs)) * 100;
  const idle = [{ cpuPctOfACore: Number(cpuPct.toFixed(2)), rssMb: Math.round(sumOver(rssMbOf)) }];
  if (values.json) console.log(JSON.stringify({ idle }));
  else console.table(idle);
} finally {
  await home.dispose();
}
