import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { CDPSession, Page } from '@playwright/test';
import { launchChromium } from './chromium.ts';
import { forget, startEngulf } from './engulf.ts';
import { playFilmMatch } from './film-match.ts';
import { watchFrames } from './measure/watch-frames.ts';
import { judge, type WebScene } from './measure/web-goals.ts';
import { openReplay } from './open-replay.ts';
import { enterLobby, signUp, waitForSpawn } from './player.ts';
import { pretendHardware } from './pretend-hardware.ts';
import { steer } from './steering.ts';

/*
 * The page's own work while somebody plays in the busiest free lobby, in a real Chromium: script time per frame, long
 * tasks, draw calls and memory, and which goals that meets. Without a graphics card, long tasks say nothing.
 */
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '1' },
    /** What draws: the canvas that software rendering falls back to, or WebGL as on a graphics card. */
    renderer: { type: 'string', default: 'canvas' },
    /** A match of so many players in the replay viewer instead. */
    replay: { type: 'boolean', default: false },
    players: { type: 'string', default: '25' },
    /** The whole map of the busiest free lobby instead. */
    spectate: { type: 'boolean', default: false },
    size: { type: 'string', default: '1920x1080' },
  },
});
const minutes = Number(options.minutes);
const [width = Number.NaN, height = Number.NaN] = options.size.split('x').map(Number);
const SCREEN = { width, height };

const scene: WebScene = options.replay ? 'replay' : options.spectate ? 'spectate' : 'play';
const loadBefore = loadavg()[0]!;

const browser = await launchChromium();
const engulf = await startEngulf();
try {
  const result = await { play: playLive, spectate: watchMap, replay: watchReplay }[scene]();
  const goals = judge(scene, result, { hasGraphicsCard: await hasGraphicsCard(), loadBefore });
  if (options.json) console.log(JSON.stringify({ web: result, goals }));
  else {
    console.table(result);
    console.table(goals);
  }
} finally {
  await browser.close();
  await engulf.stop();
  forget(engulf);
}

async function playLive() {
  const player = await signUp(browser, engulf, SCREEN);
  const { page } = player;
  await prepare(page);
  await page.reload();
  await enterLobby(player, 'Petri Dish');
  await page.keyboard.press('F3');
  const cdp = await page.context().newCDPSession(page);
  await play(page, 10);
  const heapMbBefore = await heapMb(cdp);
  await page.evaluate('window.frameWatch.reset()');
  const deaths = await play(page, minutes * 60);
  const figures = await readFrames(page);
  return { minutes, deaths, ...figures, heapMbBefore, heapMbAfter: await heapMb(cdp) };
}

async function watchReplay() {
  const context = await browser.newContext({ viewport: SCREEN });
  const players = Number(options.players);
  // All of them from the first second on.
  const film = playFilmMatch(12, players - 1, 0.1);
  const page = await openReplay(context, engulf.url, film, prepare);
  await page.waitForTimeout(3_000);
  await page.evaluate('window.frameWatch.reset()');
  const seconds = 15;
  await page.waitForTimeout(seconds * 1_000);
  const figures = await readFrames(page);
  return { players, framesPerSecond: Math.round(Number(figures['frames']) / seconds), ...figures };
}

/** Everything there is at once, with all its food. */
async function watchMap() {
  const { page } = await signUp(browser, engulf, { width: 1280, height: 720 });
  await prepare(page);
  await page.reload();
  await page.getByRole('button', { name: 'Spectate: Petri Dish' }).click();
  await page.getByText('Spectator Mode').waitFor({ timeout: 60_000 });
  await page.getByText('Initializing Game...').waitFor({ state: 'hidden', timeout: 60_000 });
  // A small window, in which drawing takes little even without a graphics card, has another menu.
  await page.setViewportSize(SCREEN);
  await page.mouse.move(width / 2, height / 2);
  for (let turn = 0; turn < 20; turn++) await page.mouse.wheel(0, 240);
  await page.waitForTimeout(5_000);
  await page.evaluate('window.frameWatch.reset()');
  await page.waitForTimeout(minutes * 60_000);
  return { minutes, ...(await readFrames(page)) };
}

async function hasGraphicsCard(): Promise<boolean> {
  const session = await browser.newBrowserCDPSession();
  const { gpu } = await session.send('SystemInfo.getInfo');
  await session.detach();
  return gpu.featureStatus?.['gpu_compositing'] === 'enabled';
}

async function prepare(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  if (options.renderer === 'webgl') await page.addInitScript(pretendHardware);
  await page.addInitScript(watchFrames, { renderer: options.renderer });
}

function readFrames(page: Page): Promise<Record<string, number | string>> {
  return page.evaluate('window.frameWatch.read()');
}

/** Steers about, splits now and then, and plays again after every death. Returns the number of deaths. */
async function play(page: Page, seconds: number): Promise<number> {
  const playAgain = page.getByRole('button', { name: 'Play Again' });
  const untilMs = Date.now() + seconds * 1000;
  let deaths = 0;
  for (let turn = 0; Date.now() < untilMs; turn++) {
    await steer(page, Math.cos(turn / 5), Math.sin(turn / 7));
    if (turn % 12 === 11) await page.keyboard.press('Space');
    if (turn % 5 === 0) await page.keyboard.press('w');
    await page.waitForTimeout(500);
    if (!(await playAgain.isVisible())) continue;
    deaths++;
    await page.waitForTimeout(1_500);
    await page.evaluate('window.frameWatch.pause(true)');
    await playAgain.click();
    await waitForSpawn(page);
    await page.keyboard.press('F3');
    await page.waitForTimeout(1_000);
    await page.evaluate('window.frameWatch.pause(false)');
  }
  return deaths;
}

async function heapMb(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 104_857.6) / 10;
}
