import type { Page } from '@playwright/test';

type Point = { readonly x: number; readonly y: number };

type Self = Point & {
  readonly mass: number;
  readonly ownCells: number;
};

/** Reads the player's own body from the debug panel; mass 0 while there is none. */
export async function readSelf(page: Page): Promise<Self> {
  const figure = (label: string) =>
    page
      .locator('dt', { hasText: new RegExp(`^${label}$`) })
      .locator('xpath=following-sibling::dd[1]')
      .innerText();
  const [x = 0, y = 0] = (await figure('Position')).split(',').map((part) => Number.parseFloat(part) || 0);
  return { x, y, mass: Number(await figure('Mass')) || 0, ownCells: Number(await figure('Own cells')) || 0 };
}

/** Points the mouse in a direction of the world, far enough from the middle for full speed; (0, 0) stops. */
export async function steer(page: Page, dx: number, dy: number): Promise<void> {
  const length = Math.hypot(dx, dy) || 1;
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(width / 2 + (dx / length) * 250, height / 2 + (dy / length) * 250);
}

/** Far more than it takes, because the machine may be busy. */
const DONE_WITHIN_MS = 180_000;

/** Steers towards a target, updated from the current position, until the condition holds. */
export async function steerUntil(
  page: Page,
  target: (self: Self) => Point,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + DONE_WITHIN_MS;
  while (!(await isDone())) {
    if (Date.now() > deadline) throw new Error('Steering timed out');
    const self = await readSelf(page);
    const { x, y } = target(self);
    await steer(page, x - self.x, y - self.y);
    await page.waitForTimeout(100);
  }
}

/** Walks round the middle of a square world: it feeds, and stays away from portals in the middle. */
export function ringWalk(worldSize: number, radius: number) {
  const middle = { x: worldSize / 2, y: worldSize / 2 };
  const bearing = ({ x, y }: Point) => Math.atan2(y - middle.y, x - middle.x);

  /** A little further along the ring. */
  function ahead(self: Point, direction = 1): Point {
    const angle = bearing(self) + 0.6 * direction;
    return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) };
  }

  /** Straight to a target on this side of the middle, else round it. */
  function towards(self: Point, target: Point): Point {
    const turn = bearing(target) - bearing(self);
    const shortest = Math.atan2(Math.sin(turn), Math.cos(turn));
    return Math.abs(shortest) < 1 ? target : ahead(self, Math.sign(shortest));
  }

  const distance = ({ x, y }: Point) => Math.hypot(x - middle.x, y - middle.y);

  return { middle, distance, ahead, towards };
}
