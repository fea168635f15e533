import type { Page } from '@playwright/test';
import { expect } from '../expect.ts';
import { enterLobby, hideDebug, lobbyRow, waitAtTheDoor, waitForSpawn } from '../player.ts';
import { readSelf, ringWalk, steer, steerUntil } from '../steering.ts';
import { type Camera, slowShutter } from './camera.ts';
import { openEntry, verifyingPicture } from './entry.ts';
import { setGates } from './gates.ts';

/** Large cells close to each other that nobody can eat, and a portal in the middle that is often open. */
export const SHOW_RULES = {
  worldSize: 2600,
  tide: { leastSize: 0 },
  spawn: { mass: 110, invulnerableSeconds: 3 },
  // As dense as in the standard arena.
  food: { count: 331 },
  viruses: { count: 6 },
  portals: { idleSeconds: 8, warningSeconds: 4, borderDistance: 1300, minCount: 1, maxCount: 1 },
  departure: { graceSeconds: 2 },
  eating: { massRatio: 1_000 },
  // Bots feed but do not hunt.
  bots: { sight: 1 },
};
/** No portal opens: who drifts into one would leave in the middle of a walk through the popups. */
export const QUIET_RULES = { ...SHOW_RULES, portals: { ...SHOW_RULES.portals, idleSeconds: 3_600 } };
const RING_RADIUS = 430;
const ring = ringWalk(SHOW_RULES.worldSize, RING_RADIUS);

/** A free lobby with its bots while a portal is open. Stays in the arena. */
export async function freeArenaPicture(camera: Camera, page: Page): Promise<void> {
  // Each bot adds a dollar to the pool: wait until there are twelve.
  await expect(lobbyRow(page, 'Petri Dish')).toContainText(/\$(1[2-9]|[2-9]\d)\./, { timeout: 60_000 });
  await slowShutter(page);
  await enterLobby({ page }, 'Petri Dish');
  await playUntilPortal(page);
  await hideDebug(page);
  const skip = page.getByRole('button', { name: 'Skip' });
  if (await skip.isVisible()) await skip.click();
  await camera.shoot(page, 'arena-free', { settleMs: 700 });
}

/** What is shown before a match, if it takes long, and what opens over it: the menu of Escape, the settings, the chat, the question before leaving. */
export async function arenaPopupPictures(camera: Camera, page: Page): Promise<void> {
  const openDoor = await waitAtTheDoor(page, 'Petri Dish');
  await camera.shoot(page, 'arena-loading');
  await page.getByRole('button', { name: 'Back to menu' }).click();
  await openDoor();
  await enterLobby({ page }, 'Petri Dish');
  await hideDebug(page);
  await steer(page, 0, 0);
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: 'Back to the game' })).toBeVisible();
  await camera.shoot(page, 'arena-menu');
  await dialog.getByRole('button', { name: 'Settings' }).click();
  await expect(dialog.getByRole('switch', { name: /Show border/ })).toBeVisible();
  await camera.shoot(page, 'settings');
  await dialog.getByRole('switch', { name: /Dark mode/ }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.waitForTimeout(600);
  await camera.shoot(page, 'arena-brightfield', { themes: ['light'] });
  await page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'Settings' }).click();
  await dialog.getByRole('switch', { name: /Dark mode/ }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();

  const field = page.getByLabel('Message to the lobby');
  await field.fill('portal D2 who is coming');
  await field.press('Enter');
  await expect(page.getByRole('log', { name: 'Chat messages' }).getByText('portal D2')).toBeVisible();
  await page.locator('form').getByRole('button', { name: 'Emoji' }).click();
  await camera.shoot(page, 'arena-chat');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Return Home' }).click();
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible();
  await camera.shoot(page, 'forfeit');
  await page.getByRole('button', { name: 'Cancel' }).click();
}

export async function spectatorPictures(camera: Camera, page: Page): Promise<void> {
  await slowShutter(page);
  await page.getByRole('button', { name: 'Spectate: Petri Dish' }).click();
  await expect(page.getByText('Spectator Mode')).toBeVisible();
  await expect(page.getByText('Initializing Game...')).toBeHidden();
  // Zoom in: the first view is made for a larger world.
  for (let turn = 0; turn < 6; turn++) await page.mouse.wheel(0, -120);
  await page.waitForTimeout(2_000);
  await camera.shoot(page, 'spectator');
  await page.keyboard.press('f');
  await page.waitForTimeout(2_000);
  await camera.shoot(page, 'spectator-top-player');
  await page.getByRole('button', { name: 'BACK' }).click();
  await expect(lobbyRow(page, 'Petri Dish')).toBeVisible();
}

/** The payment, the arena, and what both windows of a player are told of each other. Stays in the arena. */
export async function paidArenaPictures(camera: Camera, page: Page): Promise<void> {
  await setGates(page, { isSessionOverlayOn: true });
  await page.addInitScript(keepMenuSocket);
  await page.reload();
  await verifyingPicture(camera, page, 'Shallows');
  await slowShutter(page);
  await waitForSpawn(page);
  await hideDebug(page);
  await camera.shoot(page, 'arena-paid');

  const second = await page.context().newPage();
  await second.goto(page.url());
  await openEntry(second, 'The Deep');
  await second.getByRole('dialog').getByRole('button', { name: 'Pay & Play' }).click();
  await expect(second.getByText('Multiple Session Detected')).toBeVisible();
  await camera.shoot(second, 'session-conflict');
  await second.close();
  // The server warns a window only when it is opened: said to this one here.
  await page.evaluate(
    (data) =>
      (window as unknown as { menuSocket: WebSocket }).menuSocket.dispatchEvent(
        new MessageEvent('message', { data }),
      ),
    `42${JSON.stringify(['session_warning', WARNING])}`,
  );
  await expect(page.getByRole('button', { name: 'Take over session' })).toBeVisible();
  await camera.shoot(page, 'session-overlay');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
}

/** Runs in the page, before its own scripts. */
function keepMenuSocket(): void {
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      if (String(url).includes('/socket.io/')) Object.assign(window, { menuSocket: this });
    }
  };
}

const WARNING = {
  sessionStatus: 'playing',
  isPaymentSession: false,
  sessionTTL: 60,
  sessionId: 'another',
  message: 'You are already in a game.',
  instruction: 'Return to your match here, or continue in the window where you are playing.',
};

/** What a player sees when the server is killed. */
export async function disconnectPictures(camera: Camera, page: Page): Promise<void> {
  await expect(page.getByText('Network Disconnected')).toBeVisible();
  await camera.snap(page, 'network-lost');
  await expect(page.getByText('Your refund is processing...')).toBeVisible();
  await camera.shoot(page, 'disconnected');
}

/** Walks round the portal until it is open and in sight. */
async function playUntilPortal(page: Page): Promise<void> {
  const portalLive = page.getByText('PORTAL LIVE!');
  await steerUntil(
    page,
    (self) => ring.ahead(self),
    async () => {
      const { x, y, mass } = await readSelf(page);
      const isInSight = Math.hypot(x - ring.middle.x, y - ring.middle.y) < RING_RADIUS * 1.15;
      const hasGrown = mass > SHOW_RULES.spawn.mass * 1.1;
      return isInSight && hasGrown && (await portalLive.isVisible());
    },
  );
}
