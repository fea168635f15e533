import { setTimeout as sleep } from 'node:timers/promises';
import type { Lobby } from '@engulf/protocol/lobby';
import { listLobbies } from '../menu.ts';
import { openPage, type Page } from '../page.ts';
import { playOnce } from '../player.ts';
import { createRandom } from '../random.ts';
import { createFigures } from './figures.ts';
import { parseLoadOptions } from './options.ts';
import { openTarget, startOwnTarget } from './target.ts';

/*
 * npm run load -- --players 40 --minutes 5 [--url http://localhost:3000 --access-code CODE]
 * npm run load -- --shape 1000 --seconds 30       what so many write, without arenas (shape.ts)
 *
 * Clients sign in, pay or enter for free, play, lose their connection now and then, leave through portals and wait for
 * their money; again and again. Then the money is audited.
 */

/** Signing in takes work on both sides; players do not come all at once either. */
const ARRIVE_EVERY_MS = 100;
const PAUSE_MS = [200, 2_000] as const;
/** Players who are in a game when the time is up finish it. */
const FINISH_WITHIN_MS = 60_000;
/** Seats that were not taken are refunded after two minutes, and payouts become final. */
const SETTLE_WITHIN_MS = 240_000;

// The client library tells of every reconnection.
console.info = () => undefined;

const options = parseLoadOptions(process.argv.slice(2));
if (options.shape !== undefined) {
  const { shape } = await import('./shape.ts');
  process.exit((await shape(options.shape, options.seconds, options.processes)) ? 0 : 1);
}
const random = createRandom(options.seed);
const target = options.url ? await openTarget(options.url, options.accessCode) : await startOwnTarget();
const { world, canPay } = target;
const lobbies = (await listLobbies(world.url)).filter(isPlayable);
if (lobbies.length === 0) throw new Error('No lobby is open to these players');
console.log(
  `${options.players} players, ${options.minutes} minutes, ${lobbies.length} lobbies at ${world.url}`,
);

const figures = createFigures(() => performance.now());
const pages: Page[] = [];
const startedMs = performance.now();
const endsAtMs = startedMs + options.minutes * 60_000;
const isTimeUp = () => performance.now() >= endsAtMs;
const isOver = () => performance.now() >= endsAtMs + FINISH_WITHIN_MS;
await Promise.all(Array.from({ length: options.players }, (_, nth) => play(nth)));
const playedMs = performance.now() - startedMs;

console.log('Time is up; what is open is settled');
const { payouts, unpaid } = await settle();
const { figures: audited, faults } = await target.close();
console.table(figures.outcomes());
console.table(figures.summary(playedMs));
console.table({ 'players’ payouts': payouts, ...audited });
const all = unpaid > 0 ? [...faults, `${unpaid} payouts are not completed`] : faults;
for (const fault of all) console.error(`✗ ${fault}`);
console.log(`\nload: ${all.length === 0 ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
process.exit(all.length === 0 ? 0 : 1);

/** The token lobbies need another kind of money, private ones a code, and scheduled ones may close. */
function isPlayable({ lobbyId, tokenMint, lobbyType, dailyOpenWindows }: Lobby): boolean {
  const isPaid = lobbyId !== null;
  const isPlain = tokenMint === null && dailyOpenWindows === undefined;
  return isPlain && (isPaid ? canPay && lobbyType === 'normal' : lobbyType === 'free');
}

async function play(nth: number): Promise<void> {
  await sleep(nth * ARRIVE_EVERY_MS);
  const page = await openPage(world, `player ${nth}`, isOver);
  pages.push(page);
  const deps = {
    page,
    roomUrl: ({ baseGame }: Lobby) => baseGame ?? world.url,
    others: pages,
    lobbies,
    random,
    note: () => undefined,
    isOver,
    canWaitLong: false,
    watch: figures.watch,
  };
  while (!isTimeUp()) {
    try {
      figures.note(await playOnce(deps));
    } catch (error) {
      figures.note(`error: ${(error as Error).message.slice(0, 60)}`);
    }
    await sleep(random.between(...PAUSE_MS));
  }
}

/** Waits until nobody plays and everybody's history says that all is paid. */
async function settle(): Promise<{ payouts: number; unpaid: number }> {
  const deadlineMs = performance.now() + SETTLE_WITHIN_MS;
  for (;;) {
    const rows = (await Promise.all(pages.map(readHistory))).flat();
    const unpaid = rows.filter(({ status }) => status !== 'completed').length;
    const isEmpty = (await listLobbies(world.url)).every(({ currentPlayers }) => currentPlayers === 0);
    if ((unpaid === 0 && isEmpty) || performance.now() > deadlineMs) {
      return { payouts: rows.length - unpaid, unpaid };
    }
    await sleep(2_000);
  }
}

async function readHistory(page: Page): Promise<{ status: string }[]> {
  const { data } = await page.call('GET', '/api/dashboard/games_history');
  return data?.data ?? [];
}
