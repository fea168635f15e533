import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchChromium } from './chromium.ts';
import { bundleFilm, openFilm } from './pictures/film-page.ts';
import { pretendHardware } from './pretend-hardware.ts';

/*
 * Players see the arena drawn by WebGL; without a graphics card, as on the machines that run tests, the page paints it on
 * a plain canvas. Here both draw the same scenes, WebGL in software, and their pictures are compared.
 */

const RENDERERS = ['webgl', 'canvas'] as const;
type RendererKind = (typeof RENDERERS)[number];

/** Of the shape in which both stretch the light of the ground alike. Few pixels, because software GL is slow. */
const SCREEN = { width: 480, height: 270 };
/** Averages over blocks: edges and letters differ by a pixel, the arena does not. */
const BLOCK_PX = 15;

/**
 * `tolerance` is how far two blocks may be apart in one channel, of 255: half as much again as they were when this was
 * written, and less than any missing layer makes (the last two tests). Most of what is left with full detail is halos,
 * round on the plain canvas and along the membrane in WebGL.
 */
const SCENES = {
  ground: { scene: 'ground', untilMs: 32, hasDetail: true, tolerance: 5 },
  everything: { scene: 'everything', untilMs: 224, hasDetail: true, tolerance: 31 },
  plainly: { scene: 'everything', untilMs: 224, hasDetail: false, tolerance: 15 },
  engulfed: { scene: 'engulf', untilMs: 640, hasDetail: false, tolerance: 15 },
  rising: { scene: 'tide', untilMs: 96, hasDetail: true, tolerance: 31 },
  falling: { scene: 'ebb', untilMs: 96, hasDetail: false, tolerance: 15 },
  fighting: { scene: 'fight', untilMs: 640, hasDetail: false, tolerance: 15 },
} as const;
type SceneName = keyof typeof SCENES;

/** Software GL speaks of its own speed. */
const ABOUT_SPEED = /GL Driver Message \(OpenGL, Performance/;

describe('WebGL and the plain canvas', () => {
  let browser: Browser;
  let script: string;
  const opened = new Map<string, ReturnType<typeof open>>();

  beforeAll(async () => {
    [browser, script] = await Promise.all([launchChromium(), bundleFilm()]);
  });
  afterAll(() => browser?.close());

  test.each([
    ['the ground and the border', 'ground'],
    ['everything at once', 'everything'],
    ['everything at once with reduced detail', 'plainly'],
    ['a cell that swallows another', 'engulfed'],
    ['the tide that comes in', 'rising'],
    ['the tide that goes out', 'falling'],
    ['a fight', 'fighting'],
  ] as const)('draw %s alike, without a complaint', async (_, name) => {
    const webgl = await play('webgl', name);
    const canvas = await play('canvas', name);
    expect([webgl.renderer, canvas.renderer]).toEqual(RENDERERS);
    expect([...webgl.complaints, ...canvas.complaints]).toEqual([]);
    expect(differences(webgl.blocks, canvas.blocks, SCENES[name].tolerance)).toEqual([]);
  });

  test.each(RENDERERS)('would not be found alike if a layer of %s were missing', async (kind) => {
    const { layerCount } = await play(kind, 'everything');
    const unnoticed: number[] = [];
    for (let layer = 0; layer < layerCount; layer++) {
      const isNoticed =
        (await isMissed(kind, 'everything', layer)) || (await isMissed(kind, 'ground', layer));
      if (!isNoticed) unnoticed.push(layer);
    }
    expect(unnoticed).toEqual([]);
  });

  async function isMissed(kind: RendererKind, name: SceneName, layer: number): Promise<boolean> {
    const { page, film } = await play(kind, name);
    const other = await play(kind === 'webgl' ? 'canvas' : 'webgl', name);
    await film.omit(layer);
    return differences(await blocksOf(page), other.blocks, SCENES[name].tolerance).length > 0;
  }

  /** Each scene is played once; its page stays open. */
  function play(kind: RendererKind, name: SceneName): ReturnType<typeof open> {
    const key = `${kind} ${name}`;
    if (!opened.has(key)) opened.set(key, open(kind, name));
    return opened.get(key)!;
  }

  async function open(kind: RendererKind, name: SceneName) {
    const { scene, untilMs, hasDetail } = SCENES[name];
    const page = await browser.newPage({ viewport: SCREEN });
    const complaints: string[] = [];
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      const isComplaint = ['error', 'warning'].includes(message.type()) && !ABOUT_SPEED.test(message.text());
      if (isComplaint) complaints.push(`${kind}: ${message.text()}`);
    });
    if (kind === 'webgl') await page.addInitScript(pretendHardware);
    await page.addInitScript(rollTheSameDice);
    const film = await openFilm(page, script, scene, { settleFrames: 8, frameMs: 32, hasDetail });
    await film.advance(untilMs);
    const { renderer, layerCount } = film;
    return { page, film, renderer, layerCount, complaints, blocks: await blocksOf(page) };
  }
});

/** Runs in the page: drops fly the same way in both pictures. */
function rollTheSameDice(): void {
  let state = 1;
  Math.random = () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const COLUMNS = SCREEN.width / BLOCK_PX;
const CHANNELS = 3;

/** The mean colour of every block, row by row. */
async function blocksOf(page: Page): Promise<Float64Array> {
  const { data, info } = await sharp(await page.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ ...SCREEN, channels: CHANNELS });
  const blocks = new Float64Array(COLUMNS * (SCREEN.height / BLOCK_PX) * CHANNELS);
  data.forEach((value, index) => {
    const channel = index % CHANNELS;
    const pixel = (index - channel) / CHANNELS;
    const column = Math.floor((pixel % SCREEN.width) / BLOCK_PX);
    const row = Math.floor(pixel / SCREEN.width / BLOCK_PX);
    blocks[(row * COLUMNS + column) * CHANNELS + channel]! += value / BLOCK_PX ** 2;
  });
  return blocks;
}

/** The blocks that are further apart than allowed, as text for people. */
function differences(a: Float64Array, b: Float64Array, tolerance: number): string[] {
  const found: string[] = [];
  for (let at = 0; at < a.length; at += CHANNELS) {
    const colours = [a, b].map((blocks) => [...blocks.subarray(at, at + CHANNELS)].map(Math.round));
    const apart = Math.max(...[0, 1, 2].map((channel) => Math.abs(a[at + channel]! - b[at + channel]!)));
    const block = at / CHANNELS;
    const place = `${(block % COLUMNS) * BLOCK_PX}, ${Math.floor(block / COLUMNS) * BLOCK_PX}`;
    if (apart > tolerance) found.push(`at ${place}: ${colours.join(' and ')} (${apart.toFixed(1)} apart)`);
  }
  return found;
}
