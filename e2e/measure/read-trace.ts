/** What is read of an event in a trace of Chromium. Times are in microseconds. */
export type TraceEvent = {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Processor time of the thread. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly documentLoaderURL?: string } };
};

export type LoadFigures = {
  readonly firstPaintMs: number;
  /** The mark of the page that its menu can be used. */
  readonly usableMs: number;
  /** Usable, and no long task of the main thread under way. */
  readonly interactiveMs: number;
  readonly longTasks: number;
  /** Processor time of the page's main thread until then. */
  readonly mainCpuMs: number;
};

/** As the browsers' own measure of long tasks has it. */
const LONG_TASK_US = 50_000;

/** All times count from the beginning of the navigation to `url`. */
export function readTrace(
  events: readonly TraceEvent[],
  { url, usableMark }: { readonly url: string; readonly usableMark: string },
): LoadFigures {
  const start = events.find(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith(url),
  );
  if (!start) throw new Error(`The trace has no navigation to ${url}`);
  const ofPage = events.filter(({ pid, ts }) => pid === start.pid && ts >= start.ts);
  const paint = ofPage.find(({ name }) => name === 'firstContentfulPaint');
  const usable = ofPage.find(({ name, cat }) => name === usableMark && cat.includes('blink.user_timing'));
  if (!paint || !usable) throw new Error('The trace has no first paint or no usable menu');
  const tasks = ofPage.filter(({ name, ph, tid }) => name === 'RunTask' && ph === 'X' && tid === usable.tid);
  const long = tasks.filter(({ dur = 0, ts }) => dur >= LONG_TASK_US && ts <= usable.ts);
  const interactiveTs = Math.max(usable.ts, ...long.map(({ ts, dur = 0 }) => ts + dur));
  const cpuUs = tasks.reduce((sum, { ts, tdur = 0 }) => (ts < interactiveTs ? sum + tdur : sum), 0);
  const sinceStartMs = (ts: number) => Math.round((ts - start.ts) / 1000);
  return {
    firstPaintMs: sinceStartMs(paint.ts),
    usableMs: sinceStartMs(usable.ts),
    interactiveMs: sinceStartMs(interactiveTs),
    longTasks: long.length,
    mainCpuMs: Math.round(cpuUs / 1000),
  };
}
