import type { Browser } from '@playwright/test';
import type { Engulf } from '../engulf.ts';
import { expect } from '../expect.ts';
import { enterLobby, hideDebug, type Player, signUp } from '../player.ts';
import type { Camera } from './camera.ts';
import { openEntry } from './entry.ts';
import { FULL_HD, toastsAreGone } from './menu.ts';

const LOBBY = 'Shallows';

/** One waits, in the menu and in a free game; another comes, and both are called. */
export async function gatheringPictures(camera: Camera, browser: Browser, engulf: Engulf): Promise<void> {
  const [first, second] = [
    await signUp(browser, engulf, FULL_HD),
    await signUp(browser, engulf, FULL_HD),
  ] as const;
  await gather(first);
  await expect(cardOf(first)).toContainText(first.name);
  await toastsAreGone(first.page);
  await camera.shoot(first.page, 'gathering-waiting');
  await enterLobby(first, 'Petri Dish');
  await hideDebug(first.page);
  await camera.shoot(first.page, 'gathering-in-a-game', { themes: ['dark'] });
  await gather(second);
  const popup = second.page.getByRole('dialog');
  await expect(popup).toContainText('Your seat is held for');
  await camera.snap(first.page, 'gathering-called-in-a-game');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await camera.snap(second.page, 'gathering-called');
  await cardOf(second).getByRole('button', { name: 'Pay & Play' }).click();
  await camera.shoot(second.page, 'gathering-called-entry');
  for (const { page } of [first, second]) await page.context().close();
}

const cardOf = ({ page }: Player) => page.getByRole('region', { name: 'Gathering players' });

async function gather({ page }: Player): Promise<void> {
  await openEntry(page, LOBBY);
  await page.getByRole('dialog').getByRole('button', { name: 'Gather players' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}
