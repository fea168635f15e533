import type { BrowserContext, Page } from '@playwright/test';
import { expect } from './expect.ts';
import type { FilmMatch } from './film-match.ts';

/** The replay viewer with a match that the server does not know, following its hero. */
export async function openReplay(
  context: BrowserContext,
  url: string,
  { match, recording }: FilmMatch,
  prepare: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const page = await context.newPage();
  await page.route(`**/api/matches/${match.id}`, (route) =>
    route.fulfill({ json: { status: 'success', data: match } }),
  );
  await page.route('**/recording', (route) => route.fulfill({ body: Buffer.from(recording) }));
  await prepare(page);
  await page.goto(`${url}/replay/${match.id}?player=${match.entries[0]!.id}`);
  const hero = page.getByRole('button', { name: 'Follow MoonYolk', exact: true });
  await expect(hero).toHaveAttribute('aria-pressed', 'true');
  return page;
}
