import { parseArgs } from 'node:util';
import { launchChromium } from './chromium.ts';
import { timeFirstVisit } from './measure/first-visit.ts';
import { loadPage } from './measure/load-page.ts';
import { createHome } from './measure/time-start.ts';

/*
 * How long people wait: a server that is started on data that it had before, until it answers with the page and until a
 * lobby can be entered; then the first visit in a real Chromium with an empty cache, over a fast line, and how long and how
 * many clicks beside the access code it takes somebody new until a cell moves. Medians.
 */
const { values: options } = parseArgs({
  options: { json: { type: 'boolean', default: false }, runs: { type: 'string', default: '3' } },
});
const runs = Number(options.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error('--runs takes a whole number');

const home = await createHome();
const browser = await launchChromium();
try {
  // Makes the data, and builds the page if that is out of date.
  const { pageMs: firstPageMs } = await home.start();
  const starts = await repeat(async () => {
    await home.stop();
    return home.start();
  });
  // One visit warms the server's files up, as the first visitor of the day does.
  const [, ...loads] = [
    await loadPage(browser, home.url),
    ...(await repeat(() => loadPage(browser, home.url))),
  ];
  const { downloads } = loads[0]!;
  const visits = await repeat(() =>
    timeFirstVisit(browser, { url: home.url, accessCode: home.accessCode() }),
  );
  const start = {
    firstStartPageMs: firstPageMs,
    startPageMs: median(starts.map(({ pageMs }) => pageMs)),
    startPlayableMs: median(starts.map(({ playableMs }) => playableMs)),
    startCpuMs: median(starts.map(({ cpuMs }) => cpuMs)),
    firstPaintMs: median(loads.map(({ firstPaintMs }) => firstPaintMs)),
    usableMs: median(loads.map(({ usableMs }) => usableMs)),
    interactiveMs: median(loads.map(({ interactiveMs }) => interactiveMs)),
    firstMovingMs: median(visits.map(({ movingMs }) => movingMs)),
    firstMovingClicks: median(visits.map(({ clicks }) => clicks)),
    longTasks: median(loads.map(({ longTasks }) => longTasks)),
    pageMainCpuMs: median(loads.map(({ mainCpuMs }) => mainCpuMs)),
    downloads: downloads.length,
    downloadedKb: Math.round(downloads.reduce((sum, { kb }) => sum + kb, 0)),
  };
  if (options.json) console.log(JSON.stringify({ start: [start], downloads }));
  else {
    console.table(start);
    console.table(downloads);
  }
} finally {
  await browser.close();
  await home.dispose();
}

async function repeat<Value>(measure: () => Promise<Value>): Promise<Value[]> {
  const values: Value[] = [];
  for (let run = 0; run < runs; run++) values.push(await measure());
  return values;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
