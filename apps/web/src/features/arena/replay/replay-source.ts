import type { PublicMatch } from '@engulf/protocol/http/matches';
import type { ArenaModel } from '../model/arena-model.ts';
import type { Update } from './playback.ts';
import type { ReplayAnswer, ReplayPort } from './replay-messages.ts';

export const SPEEDS: readonly number[] = [0.25, 0.5, 1, 2, 4, 8, 16];

/** How far ahead the worker plays. */
const AHEAD_SECONDS = 0.6;
/** How many updates it is asked for at a time: a message per frame would cost more than its contents. */
const ASK_EVERY_UPDATES = 4;
/** The most updates decoded per second: more cannot be seen. */
const MAX_UPDATES_PER_SECOND = 50;
/** A longer frame is a pause of the browser, not of the film. */
const MAX_FRAME_MS = 250;

type Opened = Extract<ReplayAnswer, { type: 'opened' }>;

/**
 * Feeds a model from a recording as a room would: each update at its time. The time of the film only moves forward, as
 * a player's would; where it stands in the match is another matter, and a jump changes only that.
 */
export function createReplaySource(model: ArenaModel, port: ReplayPort) {
  let film: Opened | undefined;
  let queue: Update[] = [];
  let jump = 0;
  let isJumping = false;
  /** What the worker was asked for last. */
  let asked: { readonly tick: number; readonly stride: number } | undefined;
  let isPlaying = true;
  let speed = 1;
  /** Where we are in the match, in ticks. */
  let position = 0;
  let filmMs = 0;
  let lastMs: number | undefined;

  return {
    open: (match: PublicMatch, recording: Uint8Array) => port.send({ type: 'open', match, recording }),
    /** Takes an answer of the worker. */
    receive(answer: ReplayAnswer): void {
      if (answer.type === 'opened') film = answer;
      else if (answer.type === 'updates' && answer.jump === jump) take(answer.updates);
    },
    seek,
    /** Advances the film. Returns its time. */
    advance(nowMs: number): number {
      const elapsedMs = Math.min(MAX_FRAME_MS, nowMs - (lastMs ?? nowMs));
      lastMs = nowMs;
      if (film && isPlaying && !isJumping) play(film, elapsedMs * speed);
      return filmMs;
    },
    play(next: boolean): void {
      if (next && film && position >= film.finalTick) seek(0);
      isPlaying = next;
    },
    setSpeed(next: number): void {
      speed = next;
    },
    get position() {
      return position;
    },
    get isPlaying() {
      return isPlaying;
    },
    get speed() {
      return speed;
    },
    get isWaiting() {
      return isJumping;
    },
  };

  function seek(tick: number): void {
    if (!film) return;
    position = Math.min(film.finalTick, Math.max(0, Math.round(tick)));
    queue = [];
    isJumping = true;
    asked = undefined;
    port.send({ type: 'seek', tick: position, jump: ++jump });
  }

  function take(updates: readonly Update[]): void {
    queue.push(...updates);
    if (!isJumping) {
      if (!isPlaying) showDue();
      return;
    }
    isJumping = false;
    model.jump();
    const [first] = queue.splice(0, 1);
    if (!first) return;
    position = first.tick;
    model.receive(first.bytes, filmMs);
  }

  function play({ finalTick, ticksPerSecond }: Opened, elapsedMs: number): void {
    const tickMs = 1000 / ticksPerSecond;
    const stride = Math.max(1, Math.ceil((speed * ticksPerSecond) / MAX_UPDATES_PER_SECOND));
    const ahead = Math.ceil(AHEAD_SECONDS * speed * ticksPerSecond) + 2 * stride;
    ask(Math.ceil(position) + ahead, stride);
    // Where the worker cannot keep up, the film waits for it.
    const known = queue.at(-1)?.tick ?? position;
    const next = Math.min(position + elapsedMs / tickMs, Math.max(position, known));
    filmMs += (next - position) * tickMs;
    position = next;
    showDue();
    if (position >= finalTick) isPlaying = false;
  }

  function showDue(): void {
    const tickMs = 1000 / film!.ticksPerSecond;
    let due = 0;
    for (; due < queue.length && queue[due]!.tick <= position; due++) {
      model.receive(queue[due]!.bytes, filmMs - (position - queue[due]!.tick) * tickMs);
    }
    queue.splice(0, due);
  }

  function ask(tick: number, stride: number): void {
    if (asked && asked.stride === stride && tick < asked.tick + ASK_EVERY_UPDATES * stride) return;
    asked = { tick, stride };
    port.send({ type: 'want', tick, stride });
  }
}
