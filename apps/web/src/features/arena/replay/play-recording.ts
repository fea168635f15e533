import type { PublicMatch } from '@engulf/protocol/http/matches';
import { keysOfRecording } from '@engulf/sim/keys';
import { openRecording } from '@engulf/verify/open-recording';
import { createDescriber } from './describe-player.ts';
import { createMatchIndex, surveyRecording } from './match-index.ts';
import { contentOf, createPlayback } from './playback.ts';
import type { ReplayAnswer, ReplayRequest } from './replay-messages.ts';

/** How many ticks are played before messages are read again. */
const BATCH_TICKS = 40;

/**
 * Plays a recording as the page asks for it, and indexes the whole match when there is nothing else to do. Everything
 * happens in one loop, so that the order is kept. `rest` lets messages in.
 */
export function createRecordingPlayer(answer: (message: ReplayAnswer) => void, rest: () => Promise<void>) {
  let opening: Extract<ReplayRequest, { type: 'open' }> | undefined;
  let seeking: Extract<ReplayRequest, { type: 'seek' }> | undefined;
  let wanted = { tick: 0, stride: 1 };
  let jump = 0;
  let film: Awaited<ReturnType<typeof openFilm>> | undefined;
  let running: Promise<void> | undefined;

  return {
    /** Resolves when there is nothing left to do. */
    handle(request: ReplayRequest): Promise<void> {
      if (request.type === 'open') opening = request;
      else if (request.type === 'seek') seeking = request;
      else wanted = request;
      running ??= run()
        .catch((error: unknown) => answer({ type: 'failed', reason: (error as Error).message }))
        .finally(() => {
          running = undefined;
        });
      return running;
    },
  };

  async function run(): Promise<void> {
    while (await doNext()) await rest();
  }

  /** False if there is nothing left to do. */
  async function doNext(): Promise<boolean> {
    if (opening) {
      const { match, recording } = opening;
      opening = undefined;
      film = await openFilm(match, recording);
      answer({ type: 'opened', ...film.survey });
      return true;
    }
    if (!film) return false;
    const { playback, index } = film;
    if (seeking) {
      const { tick, jump: number } = seeking;
      seeking = undefined;
      jump = number;
      wanted = { tick: 0, stride: wanted.stride };
      await playback.seek(tick);
      answer({ type: 'updates', jump, updates: [playback.show()] });
      return true;
    }
    if (playback.tick < wanted.tick && !playback.isOver) {
      const { tick, stride } = wanted;
      const updates = await playback.advance(Math.min(tick, playback.tick + BATCH_TICKS), stride);
      if (updates.length > 0) answer({ type: 'updates', jump, updates });
      return true;
    }
    if (index.isDone) return false;
    const news = await index.readNext();
    film.describer.learn(news.lives);
    if (news.lives.length > 0) {
      playback.describeAgain();
      // No other update will bring the names.
      if (playback.isOver) answer({ type: 'updates', jump, updates: [playback.show()] });
    }
    answer({ type: 'indexed', news });
    return true;
  }
}

async function openFilm(match: PublicMatch, bytes: Uint8Array) {
  const recording = contentOf(await openRecording(bytes));
  const secret = Uint8Array.from(match.secret?.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const key = keysOfRecording(recording.header, secret);
  const describer = createDescriber(match);
  return {
    describer,
    index: createMatchIndex(recording, key),
    playback: createPlayback({ recording, key, describe: describer.describe }),
    survey: {
      finalTick: recording.end.finalTick,
      ticksPerSecond: recording.header.rules.stepsPerSecond,
      ...(await surveyRecording(recording)),
    },
  };
}
