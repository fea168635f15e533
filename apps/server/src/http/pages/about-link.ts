import { CARD } from '@engulf/card/card-layout';
import { html } from './html.ts';

/** What other sites show of a link to one of our pages. */
export type AboutLink = {
  readonly type: 'website' | 'video.other';
  readonly title: string;
  readonly text: string;
  readonly url: string;
  /** Of a card, if there is one. */
  readonly pictureUrl?: string | undefined;
};

/** A built page has its own description between these markers. */
const ABOUT = /<!-- about:start -->.*<!-- about:end -->/s;

export function describeLink(page: string, about: AboutLink): string {
  return page.replace(ABOUT, () => headOf(about));
}

function headOf({ type, title, text, url, pictureUrl }: AboutLink): string {
  const tags: readonly (readonly [string, string])[] = [
    ['og:type', type],
    ['og:site_name', 'Engulf'],
    ['og:title', title],
    ['og:description', text],
    ['og:url', url],
    ...(pictureUrl === undefined
      ? []
      : [
          ['og:image', pictureUrl] as const,
          ['og:image:type', 'image/png'] as const,
          ['og:image:width', String(CARD.width)] as const,
          ['og:image:height', String(CARD.height)] as const,
        ]),
    ['twitter:card', pictureUrl === undefined ? 'summary' : 'summary_large_image'],
  ];
  return [
    html`<title>${title}</title>`,
    html`<meta name="description" content="${text}" />`,
    ...tags.map(([property, content]) => html`<meta property="${property}" content="${content}" />`),
  ]
    .map(({ markup }) => markup)
    .join('\n    ');
}
