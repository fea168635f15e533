import { createHash } from 'node:crypto';
import { LOGO_VIEW_BOX, logoSvg } from '@engulf/card/logo';
import type { FastifyReply } from 'fastify';
import { html, type Markup, trusted } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';

/** A page that is complete without any script, for people and for crawlers. */
export type Page = {
  readonly title: string;
  readonly description: string;
  /** What social networks and messengers show for a link to it. */
  readonly preview?: {
    readonly url: string;
    readonly image: {
      readonly url: string;
      readonly alt: string;
      readonly width: number;
      readonly height: number;
    };
  };
  readonly body: Markup;
};

const POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "font-src 'self'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function sendPage(reply: FastifyReply, page: Page, { maxAgeSeconds = 0 } = {}): FastifyReply {
  const caching = maxAgeSeconds > 0 ? `public, max-age=${maxAgeSeconds}` : 'no-cache';
  return reply
    .header('content-security-policy', POLICY)
    .header('cache-control', caching)
    .type('text/html; charset=utf-8')
    .send(renderPage(page));
}

export function sendNotFoundPage(
  reply: FastifyReply,
  { title, text }: { title: string; text: string },
): FastifyReply {
  const body = html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a class="button" href="/">Play Engulf</a></p>`;
  return sendPage(reply.code(404), { title, description: text, body });
}

function renderPage({ title, description, preview, body }: Page): string {
  const logo = trusted(
    `<svg viewBox="${LOGO_VIEW_BOX}" role="img" aria-label="Engulf">${logoSvg('#F4F2E8')}</svg>`,
  );
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | Engulf</title>
<meta name="description" content="${description}">
${preview && previewTags(title, description, preview)}
<link rel="icon" type="image/svg+xml" href="/mark.svg">
<style>${trusted(PAGE_STYLE)}</style>
</head>
<body>
<header><a href="/" aria-label="Engulf">${logo}</a></header>
<main>${body}</main>
<footer>Engulf: eat, grow, leave through the portal.</footer>
</body>
</html>
`;
  return markup;
}

function previewTags(
  title: string,
  description: string,
  { url, image }: NonNullable<Page['preview']>,
): Markup {
  return html`<link rel="canonical" href="${url}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Engulf">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${image.url}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="${image.width}">
<meta property="og:image:height" content="${image.height}">
<meta property="og:image:alt" content="${image.alt}">
<meta name="twitter:card" content="summary_large_image">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${image.url}">
<meta name="twitter:image:alt" content="${image.alt}">`;
}
