import { join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { bundleFilm, openFilm } from './film-page.ts';

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
  const script = await bundleFilm();
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
  kind: 'webgl' | 'canvas',
  { scene, fromMs, everyMs }: Strip,
  path: string,
): Promise<void> {
  const film = await openFilm(page, script, scene, { kind });
  await film.advance(fromMs);
  const pictures: string[] = [];
  for (let frame = 0; frame < FRAMES; frame++) {
    await film.advance(frame === 0 ? 16 : everyMs);
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
