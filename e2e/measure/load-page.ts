import { type Browser, type CDPSession, errors, type Page } from '@playwright/test';
import { type LoadFigures, readTrace } from './read-trace.ts';

type Download = {
  readonly path: string;
  readonly status: number;
  /** On the wire, headers included. */
  readonly kb: number;
  readonly unpackedKb: number;
  readonly doneMs: number;
};

/** A fast line at home. Without it a page on this machine would come for nothing. */
const LINE = { latency: 10, downloadThroughput: 12_500_000, uploadThroughput: 2_500_000, offline: false };
const TRACED = ['blink.user_timing', 'loading', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];
const USABLE_MARK = 'menu usable';
/** Long enough for what the page loads once it has nothing else to do. */
const AFTERWARDS_MS = 2_000;

const LOADED_WITHIN_MS = 10_000;
const MAX_TRIES = 3;

type Load = LoadFigures & { readonly downloads: readonly Download[] };

/**
 * Loads the page with nothing in its cache, and reads Chromium's own trace of it. About one load in eighty over a
 * simulated line hangs with all bytes waiting in Chromium's own queues, and is repeated.
 */
export async function loadPage(browser: Browser, url: string): Promise<Load> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToLoad(browser, url);
    } catch (error) {
      if (!(error instanceof errors.TimeoutError) || tries === MAX_TRIES) throw error;
    }
  }
}

async function tryToLoad(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  try {
    const cdp = await context.newCDPSession(page);
    const downloads = await watchDownloads(page, cdp, url);
    await page.addInitScript(markUsable, USABLE_MARK);
    await browser.startTracing(page, { categories: TRACED });
    await page.goto(url, { timeout: LOADED_WITHIN_MS });
    await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, USABLE_MARK);
    await page.waitForTimeout(AFTERWARDS_MS);
    const trace = JSON.parse((await browser.stopTracing()).toString());
    return { ...readTrace(trace.traceEvents, { url, usableMark: USABLE_MARK }), downloads };
  } finally {
    await browser.stopTracing().catch(() => undefined);
    await context.close();
  }
}

/** Runs in the page: marks the moment in which the row of a lobby works. Must not refer to anything outside itself. */
function markUsable(mark: string): void {
  const observer = new MutationObserver(() => {
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('li:has(h3) button')];
    if (!buttons.some(({ disabled, textContent }) => !disabled && textContent === 'Connect')) return;
    performance.mark(mark);
    observer.disconnect();
  });
  observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
}

/** Fills the list while the page loads. */
async function watchDownloads(page: Page, cdp: CDPSession, url: string): Promise<readonly Download[]> {
  const downloads: Download[] = [];
  const open = new Map<string, { path: string; status: number; unpackedBytes: number }>();
  let startedS: number | undefined;
  cdp.on('Network.requestWillBeSent', ({ timestamp }) => {
    startedS ??= timestamp;
  });
  cdp.on('Network.responseReceived', ({ requestId, response }) => {
    if (response.url.startsWith('data:')) return;
    open.set(requestId, { path: response.url.replace(url, ''), status: response.status, unpackedBytes: 0 });
  });
  cdp.on('Network.dataReceived', ({ requestId, dataLength }) => {
    const download = open.get(requestId);
    if (download) download.unpackedBytes += dataLength;
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength, timestamp }) => {
    const download = open.get(requestId);
    if (!download) return;
    downloads.push({
      path: download.path,
      status: download.status,
      kb: toKb(encodedDataLength),
      unpackedKb: toKb(download.unpackedBytes),
      doneMs: Math.round((timestamp - startedS!) * 1000),
    });
  });
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  await cdp.send('Network.emulateNetworkConditions', LINE);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  return downloads;
}

function toKb(bytes: number): number {
  return Math.round(bytes / 102.4) / 10;
}
