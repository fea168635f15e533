import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { build } from 'esbuild';

type Strip = { readonly scene: string; readonly fromMs: number; readonly everyMs: number };

/** What moves too fast for one picture. */
const STRIPS: readonly Strip[] = [
  { scene: 'engulf', fromMs: 260, everyMs: 80 },
  { scene: 'split', fromMs: 100, everyMs: 64 },
  { scene: 'burst', fromMs: 250, everyMs: 64 },
  { scene: 'portal', fromMs: 250, everyMs: 100 },
  { scene: 'touch', fromMs: 100, everyMs: 100 },
];
const FRAMES = 9;
const FRAME_PX = { width: 640, height: 480 };
const COLUMNS = 3;

/** Plays scenes with the arena's renderer and puts their pictures side by side. */
export async function filmstrips(
  browser: Browser,
  folder: string,
  kind: 'webgl' | 'canvas',
  scenes: readonly string[] = STRIPS.map(({ scene }) => scene),
): Promise<void> {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, '../../apps/web/src/testing/film.ts')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'film',
    loader: { '.svg': 'dataurl' },
  });
  const script = bundle.outputFiles[0]!.text;
  for (const strip of STRIPS) {
    if (!scenes.includes(strip.scene)) continue;
    const page = await browser.newPage({ viewport: FRAME_PX });
    await shootStrip(page, script, kind, strip, join(folder, `film-${strip.scene}.png`));
    await page.close();
  }
}

async function shootStrip(
  page: Page,
  script: string,
  kind: string,
  { scene, fromMs, everyMs }: Strip,
  path: string,
): Promise<void> {
  await page.setContent('<body style="margin:0;background:#000"><div id="film" style="height:100vh"></div>');
  await page.addScriptTag({ content: script });
  await page.evaluate(
    `film.openFilm(document.getElementById('film'), '${kind}', '${scene}').then((f) => { window.open_ = f })`,
  );
  await page.evaluate(`window.open_.advance(${fromMs})`);
  const pictures: string[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    await page.evaluate(`window.open_.advance(${frame === 0 ? 16 : everyMs})`);
    pictures.push((await page.screenshot({ type: 'png' })).toString('base64'));
  }
  const rows = Math.ceil(FRAMES / COLUMNS);
  await page.setViewportSize({ width: FRAME_PX.width * COLUMNS, height: FRAME_PX.height * rows });
  await page.setContent(
    `<body style="margin:0;display:grid;grid-template-columns:repeat(${COLUMNS},1fr)">${pictures
      .map((data) => `<img src="data:image/png;base64,${data}" style="width:100%">`)
      .join('')}`,
  );
  await page.screenshot({ path });
}
