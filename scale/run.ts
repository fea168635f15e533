import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { audit, type Query, readPayoutTimes } from '@engulf/crash/audit';
import { createRandom } from '@engulf/crash/random';
import { gatherCrowd } from './crowd.ts';
import { watchLobbies } from './lobby-watch.ts';
import { findRoomOverlaps } from './room-overlaps.ts';
import { runServerTests } from './server-tests.ts';
import { settle } from './settle.ts';
import { TRIALS, type Trial } from './trials.ts';
import { createWorld } from './world.ts';

/*
 * npm run test:scale -- --players 40 --seed 1 --part trials --only 'matches move' --room-processes 1 --long
 * npm run test:scale -- --part trials --minutes 10 --bad-node
 *
 * First the server's tests on PostgreSQL and Redis (--part tests), then the trials (--part trials).
 *
 * The whole service as processes: PostgreSQL, Redis, nginx, a chain, and two of each role. While people play, each part
 * is killed or restarted. Then a region plays far from the database, and is cut off: for 7 seconds, with --long for a minute.
 * With --minutes the trials go round until the time is over, with --bad-node the node loses, delays and forgets meanwhile.
 * In the end every unit has to be accounted for, and no lobby may have had two rooms.
 */

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    players: { type: 'string', default: '40' },
    part: { type: 'string' },
    only: { type: 'string', default: '' },
    'room-processes': { type: 'string', default: '0' },
    long: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '0' },
    'bad-node': { type: 'boolean', default: false },
  },
});
const BETWEEN_TRIALS_MS = 4_000;
const FINISH_WITHIN_MS = 180_000;
/** The quickest run through all trials. */
const MINUTES_PER_ROUND = 2;
const minutes = Number(options.minutes);
const startedMs = Date.now();
const say = (text: string) =>
  console.log(`${((Date.now() - startedMs) / 1000).toFixed(0).padStart(4)} s  ${text}`);

// However it is ended, its processes end with it.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.once(signal, () => process.exit(1));
if (options.part !== 'trials') {
  const failures = await runServerTests();
  for (const failure of failures) console.error(`✗ ${failure}`);
  say(`the server's tests ran on PostgreSQL and Redis`);
  if (failures.length > 0 || options.part === 'tests') process.exit(failures.length === 0 ? 0 : 1);
}
const random = createRandom(Number(options.seed));
const world = await createWorld({
  roomProcesses: Number(options['room-processes']),
  rounds: Math.ceil(minutes / MINUTES_PER_ROUND) + 1,
  hasBadNode: options['bad-node'],
  random,
});
const faults: string[] = [];
const figures: Record<string, number | string> = {};
try {
  say('PostgreSQL, Redis, nginx and the chain run');
  await Promise.all([
    world.startApi(1),
    world.startApi(2),
    world.startGame(),
    world.startGame(),
    world.startWorker(),
    world.startWorker(),
  ]);
  say('two of each role run');
  const watch = await watchLobbies(world.url);
  const crowd = await gatherCrowd(world, watch, { players: Number(options.players), random });
  say(`${options.players} players have come`);
  const besiegedMs = Date.now();
  for (const trial of trialsUntil(() => Date.now() - besiegedMs >= minutes * 60_000)) {
    if (trial.needsRoomProcesses && world.roomProcesses === 0) {
      say(`${trial.name}: left out, because there are none (--room-processes)`);
      continue;
    }
    await sleep(BETWEEN_TRIALS_MS);
    const finding = await trial.run({ world, watch, returnsMs: crowd.returnsMs, isLong: options.long });
    say(`${trial.name}: ${JSON.stringify(finding.figures)}`);
    faults.push(...finding.faults.map((fault) => `${trial.name}: ${fault}`));
  }
  world.calmNodes();
  const calmedAt = new Date();
  await sleep(BETWEEN_TRIALS_MS);
  await crowd.finish(FINISH_WITHIN_MS);
  say('everybody has finished');
  figures['settledAfterMs'] = await settle(world.db);
  watch.close();
  console.table(Object.fromEntries([...crowd.outcomes].toSorted()));
  await Promise.all(world.fleet.members.map((member) => member.end('SIGTERM')));
  const query: Query = async (text, values) => ({ rows: (await world.db.query(text, values)).rows });
  const audited = await audit(query, world.chain);
  const overlaps = findRoomOverlaps(world.fleet.members.filter(({ role }) => role === 'game'));
  Object.assign(figures, audited.figures, { rooms: overlaps.rooms }, await readPayoutTimes(query, calmedAt));
  faults.push(...audited.faults, ...overlaps.faults);
} catch (error) {
  faults.push(String((error as Error).stack));
}
console.table({ ...figures, seconds: Math.round((Date.now() - startedMs) / 1000) });
for (const fault of faults) console.error(`✗ ${fault}`);
await world.stop();
if (faults.length > 0) console.error(`The logs are kept in ${world.folder}`);
else world.forget();
console.log(`\nscale: ${faults.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
process.exit(faults.length === 0 ? 0 : 1);

/** Each at least once, and around again while there is time. */
function* trialsUntil(isOver: () => boolean): Generator<Trial> {
  const chosen = TRIALS.filter(({ name }) => name.includes(options.only));
  yield* chosen;
  while (true) {
    for (const trial of chosen) {
      if (isOver()) return;
      yield trial;
    }
  }
}
