import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';

const ADDRESS = 'http://film.test/';
const HTML = `<body style="margin:0;background:#000"><div id="film" style="height:100vh"></div><script src="film.js"></script>`;
/** As strict about scripts as the real page, in which Pixi must not compile any. */
const POLICY = "script-src 'self'";

export type FilmOptions = {
  /** What draws; the page's own choice unless given. */
  readonly kind?: 'webgl' | 'canvas';
  readonly settleFrames?: number;
  readonly frameMs?: number;
  readonly hasDetail?: boolean;
};

/** The scenes and the arena's renderer as one script. */
export async function bundleFilm(): Promise<string> {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, '../../apps/web/src/testing/film.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'film',
    loader: { '.svg': 'dataurl' },
  });
  return bundle.outputFiles[0]!.text;
}

/** Opens a scene in an empty page. */
export async function openFilm(page: Page, script: string, scene: string, options: FilmOptions = {}) {
  await page.route(`${ADDRESS}**`, (route) =>
    route.request().url() === `${ADDRESS}film.js`
      ? route.fulfill({ body: script, contentType: 'text/javascript' })
      : route.fulfill({
          body: HTML,
          contentType: 'text/html',
          headers: { 'content-security-policy': POLICY },
        }),
  );
  await page.goto(ADDRESS);
  // What `evaluate` itself runs is exempt from the policy, so the film opens in a turn of its own.
  const { renderer, layerCount } = await page.evaluate<{ renderer: string; layerCount: number }>(
    `new Promise((resolve) => setTimeout(resolve))
      .then(() => film.openFilm(document.getElementById('film'), '${scene}', ${JSON.stringify(options)}))
      .then((opened) => { window.opened = opened; return { ...opened }; })`,
  );
  return {
    renderer,
    layerCount,
    advance: (byMs: number) => page.evaluate(`opened.advance(${byMs})`),
    omit: (layer: number) => page.evaluate(`opened.omit(${layer})`),
  };
}
