import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { IndexNews } from './match-index.ts';
import type { Update } from './playback.ts';

/** What the page asks of the worker that plays a recording. */
export type ReplayRequest =
  | { readonly type: 'open'; readonly match: PublicMatch; readonly recording: Uint8Array }
  /** `jump` counts the jumps: updates from before the last one are dropped. */
  | { readonly type: 'seek'; readonly tick: number; readonly jump: number }
  /** Play ahead to a tick; every `stride`th tick is shown. */
  | { readonly type: 'want'; readonly tick: number; readonly stride: number };

export type ReplayAnswer =
  | {
      readonly type: 'opened';
      readonly finalTick: number;
      readonly ticksPerSecond: number;
      readonly keyframeTicks: readonly number[];
      /** When each entry joins. */
      readonly joinTicks: ReadonlyMap<string, number>;
    }
  | { readonly type: 'updates'; readonly jump: number; readonly updates: readonly Update[] }
  | { readonly type: 'indexed'; readonly news: IndexNews }
  /** The recording cannot be played. */
  | { readonly type: 'failed'; readonly reason: string };

/** The worker as the page knows it. */
export type ReplayPort = {
  send(request: ReplayRequest): void;
  onAnswer: (answer: ReplayAnswer) => void;
  close(): void;
};
