import {
  createConnectionWatch,
  excuseSilence,
  isLost,
  isRejoinDue,
  judgeConnection,
  noteBroken,
  noteConnected,
  noteHeard,
  noteVisibility,
  type Verdict,
  type Watched,
} from './connection-watch.ts';
import type { Countdown } from './events.ts';

export type GivenUp = Extract<Verdict, { kind: 'leave' | 'disconnected' }>;

type GuardDeps = Watched & {
  /** Whether the page has not asked for states yet. */
  isSilenceExpected(): boolean;
  onCountdown(countdown: Countdown | undefined): void;
  /** The stay is over: back to the menu, or with the disconnect popup. */
  onGivenUp(verdict: GivenUp): void;
  onRejoinDue(): void;
};

const WATCH_EVERY_MS = 200;

/** Feeds the watch of a stay's connection with the time and the page's visibility, and acts on its verdicts. */
export function guardConnection(deps: GuardDeps) {
  let watch = createConnectionWatch(deps, performance.now());
  let timer: ReturnType<typeof setInterval> | undefined;
  let countdown: Countdown | undefined;
  document.addEventListener('visibilitychange', onVisibility);

  return {
    /** Judges the connection from now on, the first join. */
    start(): void {
      watch = createConnectionWatch(deps, performance.now());
      onVisibility();
      timer = setInterval(judge, WATCH_EVERY_MS);
    },
    stop: () => clearInterval(timer),
    dispose(): void {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisibility);
    },
    noteHeard: () => noteHeard(watch, performance.now()),
    noteConnected: () => noteConnected(watch, performance.now()),
    noteBroken: () => noteBroken(watch, performance.now()),
    isLost: () => isLost(watch, performance.now()),
    isRejoinDue: () => isRejoinDue(watch, performance.now()),
  };

  function onVisibility(): void {
    noteVisibility(watch, document.hidden, performance.now());
  }

  function judge(): void {
    const nowMs = performance.now();
    if (deps.isSilenceExpected()) excuseSilence(watch, nowMs);
    const verdict = judgeConnection(watch, nowMs);
    if (verdict.kind === 'leave' || verdict.kind === 'disconnected') {
      deps.onGivenUp(verdict);
      return;
    }
    showCountdown(verdict.kind === 'fine' ? undefined : verdict);
    if (isRejoinDue(watch, nowMs)) deps.onRejoinDue();
  }

  function showCountdown(next: Countdown | undefined): void {
    if (countdown?.kind === next?.kind && countdown?.secondsLeft === next?.secondsLeft) return;
    countdown = next;
    deps.onCountdown(countdown);
  }
}
