import { create } from 'zustand';
import { serverNowMs } from '../server-clock.ts';

/** As long as a body without a connection stays in the arena, and its entry with it. */
const BODY_STAYS_MS = 10_000;

/** The match that this page has left: until its body is gone, the player cannot enter another. */
export const useLeftMatch = create<{ readonly untilMs: number }>(() => ({ untilMs: 0 }));

export function noteLeftMatch(): void {
  useLeftMatch.setState({ untilMs: serverNowMs() + BODY_STAYS_MS });
}

export function forgetLeftMatch(): void {
  useLeftMatch.setState({ untilMs: 0 });
}

/** 0 if nothing stands in the way. */
export function secondsUntilReady(untilMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
}
