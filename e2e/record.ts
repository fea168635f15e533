import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { standardRules } from '@engulf/sim/rules';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';
import { launchChromium } from './chromium.ts';
import { type Engulf, forget, startEngulf } from './engulf.ts';
import { type FilmMatch, playFilmMatch } from './film-match.ts';
import { openReplay } from './open-replay.ts';
import { freeArenaPicture, SHOW_RULES } from './pictures/arena.ts';
import { createDocsCamera } from './pictures/camera.ts';
import { DUEL_RULES, endingPictures } from './pictures/endings.ts';
import { signUp } from './player.ts';

/*
 * Makes the How-to-Play film and the pictures of the documentation from the real game: a match is played and recorded,
 * the replay viewer shows it frame by frame, and the browser encodes the frames. `--film` and `--pictures` make only these.
 */
const FILM = {
  width: 720,
  height: 406,
  framesPerSecond: 24,
  showsWithinSeconds: 12,
  afterSeconds: 1.5,
  bots: 14,
};
const SHORT = { seconds: 9, width: 480, everyFrames: 2, quality: 45 };
const BITS_PER_SECOND = 900_000;
/** The frame that stands for the film while it is loaded. */
const POSTER_AT_SECONDS = 6;

const root = join(import.meta.dirname, '..');
const browser = await launchChromium();
let engulf = await startEngulf({ rules: SHOW_RULES, limitScale: 100 });
try {
  if (!process.argv.includes('--pictures')) await film();
  if (!process.argv.includes('--film')) await docsPictures();
} finally {
  await browser.close();
  await engulf.stop();
  forget(engulf);
}

async function film(): Promise<void> {
  const frames = await filmReplay(browser, engulf, playFilmMatch(FILM.showsWithinSeconds, FILM.bots));
  writeFileSync(
    join(root, 'apps/web/public/how-to-play.jpg'),
    frames[POSTER_AT_SECONDS * FILM.framesPerSecond]!,
  );
  const video = join(root, 'apps/web/public/how-to-play.webm');
  writeFileSync(video, await encode(browser, frames));
  console.log(`  ${frames.length} frames, ${Math.round(statSync(video).size / 1000)} kB`);
  await shortFilm(frames);
}

/** The last seconds as a moving picture, for pages that show no video. */
async function shortFilm(frames: readonly Buffer[]): Promise<void> {
  const { seconds, width, everyFrames, quality } = SHORT;
  const last = frames.slice(-seconds * FILM.framesPerSecond).filter((_, at) => at % everyFrames === 0);
  const small = await Promise.all(last.map((frame) => sharp(frame).resize({ width }).png().toBuffer()));
  const { size } = await sharp(small, { join: { animated: true } })
    .webp({
      quality,
      effort: 4,
      loop: 0,
      delay: small.map(() => Math.round((1000 / FILM.framesPerSecond) * everyFrames)),
    })
    .toFile(join(root, 'docs/pictures/play.webp'));
  console.log(`  play.webp, ${Math.round(size / 1000)} kB`);
}

async function restart(rules: Readonly<Record<string, unknown>>): Promise<void> {
  await engulf.stop();
  engulf = await startEngulf({ rules, after: engulf, limitScale: 100 });
}

/** A life up to its exit, as JPEG pictures of the bare arena. Time stands still between two frames. */
async function filmReplay(browser: Browser, { url }: Engulf, film: FilmMatch): Promise<Buffer[]> {
  const { exitTick } = film;
  const context = await browser.newContext({ viewport: FILM });
  const page = await openReplay(context, url, film, ({ clock }) => clock.install());
  await page.getByRole('button', { name: 'Pause' }).click();
  const ticks = async () =>
    Number(await page.getByRole('slider', { name: 'Time' }).getAttribute('aria-valuenow'));
  await page.waitForTimeout(1_500);
  await page.addStyleTag({ content: 'main > :not(:first-child) { opacity: 0 !important }' });
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.keyboard.press('k');
  const frames: Buffer[] = [];
  const from = await ticks();
  const seconds = (exitTick - from) / standardRules.stepsPerSecond + FILM.afterSeconds;
  const count = seconds * FILM.framesPerSecond;
  while (frames.length < count) {
    await page.clock.runFor(1000 / FILM.framesPerSecond);
    frames.push(await page.screenshot({ type: 'jpeg', quality: 90 }));
  }
  console.log(`  ticks ${from} to ${await ticks()}, exit at ${exitTick}`);
  await context.close();
  return frames;
}

/** Draws the frames in their time on a canvas that is recorded. */
async function encode(browser: Browser, frames: readonly Buffer[]): Promise<Buffer> {
  const page = await browser.newPage();
  await page.evaluate('window.frames_ = []');
  for (const frame of frames) await page.evaluate(`window.frames_.push('${frame.toString('base64')}')`);
  const base64 = await page.evaluate(recordFrames, { ...FILM, bitsPerSecond: BITS_PER_SECOND });
  await page.close();
  return Buffer.from(base64, 'base64');
}

/** Runs in the page. */
async function recordFrames(film: {
  width: number;
  height: number;
  framesPerSecond: number;
  bitsPerSecond: number;
}): Promise<string> {
  const { frames_: frames } = window as unknown as { frames_: string[] };
  const pictures = await Promise.all(
    frames.map(async (frame) =>
      createImageBitmap(await (await fetch(`data:image/jpeg;base64,${frame}`)).blob()),
    ),
  );
  const canvas = Object.assign(document.createElement('canvas'), { width: film.width, height: film.height });
  document.body.append(canvas);
  const context = canvas.getContext('2d')!;
  const recorder = new MediaRecorder(canvas.captureStream(film.framesPerSecond), {
    mimeType: 'video/webm;codecs=vp9',
    videoBitsPerSecond: film.bitsPerSecond,
  });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const isDone = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  context.drawImage(pictures[0]!, 0, 0);
  recorder.start();
  const startedMs = performance.now();
  await new Promise<void>((resolve) => {
    const draw = () => {
      const index = Math.floor(((performance.now() - startedMs) / 1000) * film.framesPerSecond);
      if (index >= pictures.length) return resolve();
      context.drawImage(pictures[index]!, 0, 0);
      requestAnimationFrame(draw);
    };
    draw();
  });
  recorder.stop();
  await isDone;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return btoa(text);
}

async function docsPictures(): Promise<void> {
  console.log('▸ Pictures of the documentation');
  const camera = createDocsCamera(join(root, 'docs/pictures'), {
    'arena-free': 'arena',
    'bag-secured': 'bag-secured',
    'menu-activity': 'menu',
  });
  const { page } = await signUp(browser, engulf, { width: 1600, height: 900 });
  await freeArenaPicture(camera, page);
  await page.context().close();
  await restart(DUEL_RULES);
  await endingPictures(camera, browser, engulf, { width: 1600, height: 1000 });
}
