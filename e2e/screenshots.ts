import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium } from './chromium.ts';
import { forget, startEngulf } from './engulf.ts';
import {
  arenaPopupPictures,
  disconnectPictures,
  freeArenaPicture,
  paidArenaPictures,
  QUIET_RULES,
  SHOW_RULES,
  spectatorPictures,
} from './pictures/arena.ts';
import { createCamera } from './pictures/camera.ts';
import { DUEL_RULES, endingPictures, replayPictures } from './pictures/endings.ts';
import { closedLobbyPicture, entryPictures, failedPaymentPicture } from './pictures/entry.ts';
import { filmstrips } from './pictures/filmstrips.ts';
import { gatePictures, publicPages } from './pictures/gates.ts';
import { gatheringPictures } from './pictures/gathering.ts';
import { FULL_HD, menuPictures, menuPopupPictures } from './pictures/menu.ts';
import { signUp } from './player.ts';

/**
 * Takes pictures of every screen in a real browser, for people to look at: all of them into screenshots/, in four window
 * sizes and both themes; with `--part menu`, only some of them.
 */
const { values: options } = parseArgs({ options: { part: { type: 'string' } } });
const root = join(import.meta.dirname, '..');
const folder = join(root, 'screenshots');

console.log('▸ Starting Engulf and a browser…');
const browser = await launchChromium();
let engulf = await startEngulf({ rules: SHOW_RULES, limitScale: 100 });
try {
  await takeParts();
} finally {
  await browser.close();
  await engulf.stop();
  forget(engulf);
}

async function takeParts(): Promise<void> {
  if (options.part === undefined) rmSync(folder, { recursive: true, force: true });
  const camera = createCamera(folder);
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    films: () => filmstrips(browser, folder, 'canvas'),
    menu: async () => {
      const page = await menuPictures(camera, browser, engulf);
      await menuPopupPictures(camera, page);
      await page.context().close();
    },
    entry: async () => {
      const { page } = await signUp(browser, engulf, FULL_HD);
      await entryPictures(camera, page);
      await failedPaymentPicture(camera, page);
      await closedLobbyPicture(camera, page);
      await page.context().close();
    },
    gathering: () => gatheringPictures(camera, browser, engulf),
    gates: async () => {
      await gatePictures(camera, browser, engulf);
      await publicPages(camera, browser, engulf);
    },
    arena: async () => {
      const { page } = await signUp(browser, engulf, FULL_HD);
      await spectatorPictures(camera, page);
      await freeArenaPicture(camera, page);
      await page.context().close();
      await restart(QUIET_RULES);
      const player = await signUp(browser, engulf, FULL_HD);
      await arenaPopupPictures(camera, player.page);
      await player.page.context().close();
    },
    paid: async () => {
      const { page } = await signUp(browser, engulf, FULL_HD);
      await paidArenaPictures(camera, page);
      await engulf.kill();
      await disconnectPictures(camera, page);
      await page.context().close();
    },
    endings: async () => {
      await restart(DUEL_RULES);
      await endingPictures(camera, browser, engulf);
      // Stopping ends the match, so that it can be watched.
      await restart(DUEL_RULES);
      await replayPictures(camera, browser, engulf);
    },
  };
  for (const [name, take] of Object.entries(parts)) {
    if (options.part !== undefined && options.part !== name) continue;
    console.log(`▸ ${name}`);
    await take();
  }
}

async function restart(rules: Readonly<Record<string, unknown>>): Promise<void> {
  await engulf.stop();
  engulf = await startEngulf({ rules, after: engulf, limitScale: 100 });
}
