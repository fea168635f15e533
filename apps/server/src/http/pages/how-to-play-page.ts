import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { html } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { type Page, sendPage } from './send-page.ts';

/** The rules for players are written once. */
export const HOW_TO_PLAY_FILE = new URL('../../../../../docs/how-to-play.md', import.meta.url);

const READS_PER_MINUTE = 120;
const MAX_AGE_SECONDS = 300;

export function registerHowToPlay(app: FastifyInstance): void {
  let page: Page | undefined;
  app.get(
    '/how-to-play',
    { config: { rateLimit: { max: READS_PER_MINUTE * app.rateLimitScale, timeWindow: 60_000 } } },
    async (_request, reply) => {
      page ??= howToPlayPage(await readFile(HOW_TO_PLAY_FILE, 'utf8'));
      return sendPage(reply, page, { maxAgeSeconds: MAX_AGE_SECONDS });
    },
  );
}

function howToPlayPage(text: string): Page {
  return {
    title: 'How to play',
    description: 'The rules, what leaving costs, how bounties and fees work.',
    body: html`${renderMarkdown(text)}<p><a class="button" href="/">Play Engulf</a></p>`,
  };
}
