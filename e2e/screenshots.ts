import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { launchChromium } from './chromium.ts';
import { forget, startEngulf } from './engulf.ts';
import {
  disconnectPictures,
  freeArenaPicture,
  leaveArena,
  paidArenaPictures,
  SHOW_RULES,
  spectatorPictures,
} from './pictures/arena.ts';
import { createCamera } from './pictures/camera.ts';
import { DUEL_RULES, endingPictures } from './pictures/endings.ts';
import { closedLobbyPicture, entryPictures } from './pictures/entry.ts';
import { filmstrips } from './pictures/filmstrips.ts';
import { blockerPictures, menuPictures } from './pictures/menu.ts';
import { signUp } from './player.ts';

/**
 * Takes pictures of every screen in a real browser, for people to look at: all of them into screenshots/, or with --docs
 * the few that the documentation shows into docs/pictures/.
 */
const root = join(import.meta.dirname, '..');
const isForDocs = process.argv.includes('--docs');

console.log('▸ Starting Engulf and a browser…');
const browser = await launchChromium();
let engulf = await startEngulf({ rules: SHOW_RULES });
try {
  await (isForDocs ? takeForDocs() : takeAll());
} finally {
  await browser.close();
  await engulf.stop();
  forget(engulf);
}

async function takeAll(): Promise<void> {
  const folder = join(root, 'screenshots');
  rmSync(folder, { recursive: true, force: true });
  const camera = createCamera(folder, { format: 'png' });
  console.log('▸ Filmstrips');
  await filmstrips(browser, folder, 'canvas');
  console.log('▸ The menu and its popups');
  const page = await menuPictures(camera, browser, engulf);
  await entryPictures(camera, page);
  await closedLobbyPicture(camera, page);
  console.log('▸ The arena');
  await spectatorPictures(camera, page);
  await freeArenaPicture(camera, page);
  await leaveArena(page);
  // Takes longer than the abandoned body stays, so that the player may enter again afterwards.
  await blockerPictures(camera, browser, engulf);
  await paidArenaPictures(camera, page);
  await engulf.kill();
  await disconnectPictures(camera, page);
  await page.context().close();
  console.log('▸ Endings');
  engulf = await startEngulf({ rules: DUEL_RULES, after: engulf });
  await endingPictures(camera, browser, engulf);
}

async function takeForDocs(): Promise<void> {
  const camera = createCamera(join(root, 'docs/pictures'), {
    format: 'jpeg',
    only: { 'arena-free': 'arena', 'bag-secured': 'bag-secured', 'menu-activity': 'menu' },
  });
  const { page } = await signUp(browser, engulf, { width: 1600, height: 900 });
  await freeArenaPicture(camera, page);
  await page.context().close();
  await engulf.stop();
  engulf = await startEngulf({ rules: DUEL_RULES, after: engulf });
  await endingPictures(camera, browser, engulf, { width: 1600, height: 1000 });
}
