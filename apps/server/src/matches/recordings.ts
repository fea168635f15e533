import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { toHex } from '@engulf/sim/keys';
import {
  type ChainLink,
  FIRST_LINK,
  type FrameKind,
  writeEnd,
  writeFrame,
} from '@engulf/sim/recording/frames';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { RecordingState } from '../platform/database/games.ts';
import { endMatch, type IsOurs } from './match-states.ts';
import { partKey, RECORDING_TYPE, readParts, type StoredPart } from './recording-parts.ts';

/** How much is kept in memory while the storage fails, per match and of all. Beyond that the recordings are cut. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const MAX_ALL_WAITING_BYTES = 16 * MAX_WAITING_BYTES;
/** A match stands still while it is handed over. */
const FLUSH_WITHIN_MS = 3_000;
const RETRY_MS = 1_000;
const CLOSE_ATTEMPTS = 20;

/** What processes wrote that did not say so yet. */
const FIRST_HANDED_OVER = 3;

const deflate = promisify(deflateRaw);

type OpenRecording = {
  link: ChainLink;
  partCount: number;
  bytes: number;
  waitingBytes: number;
  isCut: boolean;
  /** Resolves when the last part handed over is durable. */
  tail: Promise<unknown>;
};

/** Recordings of running matches on their way to the storage, each written strictly in order. */
export function createRecordings(
  context: Pick<Context, 'db' | 'storage' | 'logger' | 'nowMs'>,
  timers: Pick<typeof systemClock, 'setTimer'> = systemClock,
) {
  const { storage, logger } = context;
  const open = new Map<MatchId, OpenRecording>();
  let allWaitingBytes = 0;

  const recordingOf = (matchId: MatchId): OpenRecording => {
    let recording = open.get(matchId);
    if (!recording) {
      const tail = Promise.resolve();
      recording = { link: FIRST_LINK, partCount: 0, bytes: 0, waitingBytes: 0, isCut: false, tail };
      open.set(matchId, recording);
    }
    return recording;
  };

  const pause = (ms = RETRY_MS) => new Promise<void>((resolve) => timers.setTimer(ms, resolve));

  const writePart = async (matchId: MatchId, kind: FrameKind, body: Uint8Array): Promise<StoredPart> => {
    const recording = recordingOf(matchId);
    const packed = await deflate(body, { level: 6 });
    const frame = { kind, packing: 'deflate', bodyLength: body.length, packed } as const;
    const { bytes, link } = writeFrame(frame, recording.link);
    for (let isTaken = false; ; ) {
      try {
        const key = partKey(matchId, recording.partCount);
        if (await storage.putNew(key, bytes, RECORDING_TYPE)) break;
        isTaken = true;
      } catch (error) {
        logger.error(
          { code: 'RECORDING_UNAVAILABLE', err: error, matchId },
          'recording not stored; retrying',
        );
        await pause();
      }
      // This process was declared dead and others closed the recording: what they wrote stays.
      if (isTaken) throw new Error(`The recording of ${matchId} is no longer ours`);
    }
    recording.link = link;
    recording.partCount++;
    recording.bytes += bytes.length;
    return { partCount: recording.partCount, bytes: recording.bytes, chain: link.chain, body };
  };

  /** Resolves when the part is durable; with undefined if it will never be. */
  const recordPart = async (
    matchId: MatchId,
    kind: FrameKind,
    body: Uint8Array,
  ): Promise<StoredPart | undefined> => {
    const recording = recordingOf(matchId);
    recording.isCut ||=
      recording.waitingBytes + body.length > MAX_WAITING_BYTES ||
      allWaitingBytes + body.length > MAX_ALL_WAITING_BYTES;
    if (recording.isCut) return undefined;
    recording.waitingBytes += body.length;
    allWaitingBytes += body.length;
    const stored = recording.tail
      .then(() => writePart(matchId, kind, body))
      .catch((error: unknown) => {
        recording.isCut = true;
        logger.error({ code: 'RECORDING_LOST', err: error, matchId }, 'a recording ends early');
        return undefined;
      })
      .finally(() => {
        recording.waitingBytes -= body.length;
        allWaitingBytes -= body.length;
      });
    recording.tail = stored;
    return stored;
  };

  /**
   * Ends the recording, if there is one, and with it the match. A process that lost the match must leave that to others:
   * the match may be running elsewhere, and its secret must not be published before its end.
   */
  const close = async (
    matchId: MatchId,
    {
      finalTick,
      spillAfter,
      isOurs,
    }: { readonly finalTick: number; readonly spillAfter: bigint; readonly isOurs: IsOurs },
  ): Promise<void> => {
    const recording = open.get(matchId);
    await recording?.tail;
    if (!(await tryAgain(() => isOurs(context.db)))) throw notOurs(matchId);
    if (recording) await writePart(matchId, 'end', writeEnd({ finalTick, isCut: recording.isCut }));
    const ending = {
      isCut: recording?.isCut ?? false,
      finalTick,
      finalHash: recording ? toHex(recording.link.chain) : null,
      spillAfter,
      partCount: recording?.partCount ?? 0,
      recordingBytes: recording?.bytes ?? 0,
    };
    if (!(await tryAgain(() => endMatch(context, matchId, ending, isOurs)))) throw notOurs(matchId);
    open.delete(matchId);
  };

  const tryAgain = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (attempt === CLOSE_ATTEMPTS) throw error;
        await pause();
      }
    }
  };

  const notOurs = (matchId: MatchId) => new Error(`The match ${matchId} is no longer ours`);

  /** Resolves when everything handed over is durable, with the state to continue from. Undefined if a part is missing. */
  const flush = async (matchId: MatchId): Promise<RecordingState | undefined> => {
    const recording = open.get(matchId);
    await Promise.race([recording?.tail, pause(FLUSH_WITHIN_MS)]);
    if (!recording || recording.isCut || recording.waitingBytes > 0) return undefined;
    const { link, partCount, bytes } = recording;
    return { version: link.version, chain: toHex(link.chain), partCount, bytes };
  };

  /** Another process continues the recording. */
  const forget = (matchId: MatchId): void => {
    open.delete(matchId);
  };

  /** Continues a recording that another process flushed. */
  const resume = async (matchId: MatchId, state: RecordingState | null): Promise<void> => {
    const { version, chain, partCount, bytes } = state ?? (await readState(matchId));
    const link = { version: version ?? FIRST_HANDED_OVER, chain: Buffer.from(chain, 'hex') };
    const resumed = { link, partCount, bytes };
    open.set(matchId, { ...resumed, waitingBytes: 0, isCut: false, tail: Promise.resolve() });
  };

  const readState = async (matchId: MatchId): Promise<RecordingState> => {
    const { link, partCount, bytes, end, isDamaged } = await readParts(context, matchId);
    if (partCount === 0 || end || isDamaged)
      throw new Error(`The recording of ${matchId} cannot be continued`);
    return { version: link.version, chain: toHex(link.chain), partCount, bytes };
  };

  return { recordPart, close, flush, forget, resume };
}
