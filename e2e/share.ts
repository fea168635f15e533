import type { Engulf } from './engulf.ts';
import { expect } from './expect.ts';
import type { Player } from './player.ts';

/** Shares the cash-out whose popup is open, and looks at the public page as a crawler does: without cookie or script. */
export async function flexWinnings({ page, name }: Player, { url }: Engulf): Promise<void> {
  await page.context().route('https://x.com/**', (route) => route.fulfill({ body: 'X' }));
  // Slow enough to see that the button says so.
  await page.route('**/api/upload', async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  const uploads = page.waitForRequest('**/api/upload');
  const posts = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Flex Winnings' }).click();
  await expect(page.getByRole('button', { name: 'Please wait...' })).toBeDisabled();
  const upload = await uploads;
  expect(upload.headers()['content-type']).toContain('multipart/form-data');
  const { key } = (await (await upload.response())!.json()) as { key: string };

  const post = new URL((await posts).url());
  expect(post.origin + post.pathname).toBe('https://x.com/intent/post');
  expect(post.searchParams.get('url')).toBe(`${url}/winningshare/${key}`);
  const card = page.getByRole('dialog', { name: 'Your card is out' }).getByRole('img');
  await expect
    .poll(() => card.evaluate((image: HTMLImageElement) => image.naturalWidth), { timeout: 30_000 })
    .toBe(2400);

  const answer = await fetch(`${url}/winningshare/${key}`);
  expect(answer.status).toBe(200);
  const html = await answer.text();
  const tag = (property: string) => new RegExp(`"${property}" content="([^"]*)"`).exec(html)?.[1];
  expect(tag('og:title')).toBe(`${name} left with x1.90`);
  expect(tag('og:description')).toContain('+0.095 SOL ($14.25)');
  expect(tag('twitter:card')).toBe('summary_large_image');
  const picture = await fetch(tag('og:image')!);
  expect(picture.headers.get('content-type')).toBe('image/png');
  expect(picture.headers.get('cache-control')).toContain('immutable');
  expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(100_000);

  const visitor = await page.context().newPage();
  const problems: string[] = [];
  visitor.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await visitor.goto(`${url}/winningshare/${key}`);
  await expect(visitor.getByRole('heading', { name: `${name} left with x1.90` })).toBeVisible();
  await expect
    .poll(() =>
      visitor
        .getByRole('img', { name: /left with/ })
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(2400);
  expect(problems).toEqual([]);
  await visitor.getByRole('link', { name: 'Play Engulf' }).click();
  await visitor.waitForURL(`${url}/`);
  await visitor.close();
  expect((await fetch(`${url}/winningshare/nothing`)).status).toBe(404);
}
