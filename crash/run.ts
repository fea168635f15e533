import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import type { Lobby } from '@engulf/protocol/lobby';
import { BOUNTIES_ASTRAY, codesIn, readServerLog } from '@engulf/trials/server-log';
import { audit, type Query, readPayoutTimes } from './audit.ts';
import { createHome } from './home.ts';
import { listLobbies } from './menu.ts';
import { openPage } from './page.ts';
import { type Habit, playUntilOver } from './player.ts';
import { createRandom } from './random.ts';
import { startSiege } from './siege.ts';

/*
 * npm run test:crash -- --seed 7 --minutes 10
 *
 * Players pay, play, leave and cheat while the server is killed again and again and its node misbehaves. In the end
 * every unit has to be accounted for, and every match has to replay to what its players got. `--mutant lostBounties` puts
 * a fault into the server and fails unless it is found.
 */

/** Of the time, at its end, so that there are matches which nobody cut. */
const CALM_SHARE = 0.2;

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    players: { type: 'string', default: '8' },
    /** A fault in the server, which has to be found. */
    mutant: { type: 'string' },
  },
});
const minutes = Number(options.minutes);
const random = createRandom(Number(options.seed));
console.log(`seed ${options.seed}, ${minutes} minutes, ${options.players} players`);

const home = await createHome(options.mutant);
/** Known when everybody has signed in. */
let endsAtMs = Number.POSITIVE_INFINITY;
const isOver = () => Date.now() >= endsAtMs;
const isCalm = () => Date.now() >= endsAtMs - CALM_SHARE * minutes * 60_000;
const outcomes = new Map<string, number>();
const note = (habit: Habit, outcome: string) => {
  const key = `${habit}: ${outcome}`;
  outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
};

const siege = await startSiege(home, random, isCalm, isOver);
const lobbies = (await listLobbies(home.url)).filter(
  ({ lobbyId, tokenMint, lobbyType, dailyOpenWindows }) =>
    lobbyId !== null && tokenMint === null && lobbyType === 'normal' && dailyOpenWindows === undefined,
);
const names = Array.from({ length: Number(options.players) }, (_, index) => `player ${index}`);
const pages = await Promise.all(names.map((name) => openPage(home, name, isOver)));
endsAtMs = Date.now() + minutes * 60_000;
const progress = setInterval(() => {
  const secondsLeft = Math.max(0, Math.round((endsAtMs - Date.now()) / 1000));
  const attempts = [...outcomes.values()].reduce((total, count) => total + count, 0);
  console.log(`${secondsLeft} s left, ${attempts} attempts, ${siege.describe()}`);
}, 15_000);
const deps = {
  roomUrl: () => home.url,
  others: pages,
  // Mostly the same one, so that they meet.
  lobbies: [...Array<Lobby>(4).fill(lobbies[0]!), ...lobbies.slice(1)],
  random,
  note,
  isOver,
  canWaitLong: minutes >= 5,
};
await Promise.all(pages.map((page) => playUntilOver({ ...deps, page })));
clearInterval(progress);

console.log('The siege is over; one undisturbed server settles what is open');
const { liftedAt, count: matches, faults: wrongMatches } = await siege.liftAndSettle(pages);
const db = await PGlite.create(join(home.folder, 'database'));
const query: Query = (text, values) => db.query(text, values);
const { figures, faults: found } = await audit(query, home.chain);
const paidAfterS = await readPayoutTimes(query, liftedAt);
await db.close();
// A match that was cut leaves open who carried what. What was logged when somebody left does not.
const astray = codesIn(readServerLog(home.folder), BOUNTIES_ASTRAY);
const faultsOfRooms = [...wrongMatches, ...astray.map((code) => `the server logged ${code}`)];
const faults = [...found, ...faultsOfRooms];
// A run in which nobody got in proves nothing.
if (figures['joins'] === '0') faults.push('nobody paid and got in');
// On a busy machine the server is hardly ever up, and they do not meet.
if (Number(figures['eaten']) < minutes) {
  console.warn(`Only ${figures['eaten']} players were eaten: this run says little about bounties`);
}
console.table(Object.fromEntries([...outcomes].sort()));
console.table({ ...figures, matches, ...siege.figures(), ...paidAfterS });
for (const fault of faults) console.error(`✗ ${fault}`);
const isAsExpected = options.mutant === undefined ? faults.length === 0 : faultsOfRooms.length > 0;
if (isAsExpected) await home.dispose();
else console.error(`The data is kept in ${home.folder}`);
if (options.mutant !== undefined) console.log(`The mutant ${isAsExpected ? 'was found' : 'was not found'}`);
console.log(`\ncrash: ${isAsExpected ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
process.exit(isAsExpected ? 0 : 1);
