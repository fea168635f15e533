import { z } from 'zod';
import type { Bus, Topic } from './bus.ts';

/** Sent by a process every now and then while somebody has its menu open. */
const OPEN_MENUS: Topic<Record<string, never>> = { name: 'menus', schema: z.object({}) as never };

const SAY_EVERY_MS = 2_000;
const HEARD_FOR_MS = 6_000;

/** Tells all processes while there are open menus here. Returns a function that stops it. */
export function reportMenus(bus: Bus, areOpen: () => boolean): () => void {
  const timer = setInterval(() => {
    if (areOpen()) bus.publish(OPEN_MENUS, {});
  }, SAY_EVERY_MS);
  return () => clearInterval(timer);
}

/** Whether anybody has a menu open, in any process. */
export function watchMenus(bus: Bus, monotonicMs: () => number): () => boolean {
  let heardMs = Number.NEGATIVE_INFINITY;
  bus.follow(OPEN_MENUS, () => {
    heardMs = monotonicMs();
  });
  return () => monotonicMs() - heardMs < HEARD_FOR_MS;
}
