import { createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import { type ArenaModel, createArenaModel } from './arena-model.ts';

/** Fifteen seconds of updates. */
const KEPT_UPDATES = 375;

/**
 * The last seconds of a life as they were received, so that they can be replayed. They contain nothing that this client
 * was not sent while it played: the match is still running, and its recording is not public yet.
 */
export type LastMoments = ReturnType<typeof createLastMoments>;

export function createLastMoments() {
  /** A second decoder that lags behind: it has the state before the first update that is kept. */
  const behind = createArenaDecoder();
  const kept: Uint8Array[] = [];
  let isOver = false;
  return {
    note(bytes: Uint8Array): void {
      if (isOver) return;
      kept.push(bytes);
      if (kept.length > KEPT_UPDATES) decodeUpdate(behind, kept.shift()!);
    },
    /** The life is over: later updates are not part of it. */
    end(): void {
      isOver = true;
    },
    /** Replays them. Can be called again. */
    replay: () =>
      createLastFilm(
        createArenaModel(() => {}, structuredClone(behind)),
        [...kept],
      ),
  };
}

/** How long the picture stays after the last update. */
const REST_MS = 900;

function createLastFilm(model: ArenaModel, updates: readonly Uint8Array[]) {
  const { frame } = model;
  let filmMs = 0;
  let next = 0;
  const tickMs = () => 1000 / frame.ticksPerSecond;
  return {
    model,
    get lengthMs() {
      return updates.length * tickMs();
    },
    /** Advances the film by real time. */
    advance(elapsedMs: number): number {
      filmMs += elapsedMs;
      for (; next < updates.length && next * tickMs() <= filmMs; next++) {
        model.receive(updates[next]!, next * tickMs());
      }
      return filmMs;
    },
    get isOver() {
      return filmMs > updates.length * tickMs() + REST_MS;
    },
  };
}
