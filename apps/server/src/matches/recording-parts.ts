import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import type { MatchId } from '@engulf/domain/ids/entity-ids';
import {
  type ChainLink,
  FIRST_LINK,
  MAX_BODY_BYTES,
  type RecordingEnd,
  readEnd,
  readFrame,
} from '@engulf/sim/recording/frames';
import { readSegment } from '@engulf/sim/recording/segment';
import type { Context } from '../platform/context.ts';

/** The storage key of one part of a recording. The parts in order are the recording. */
export function partKey(matchId: MatchId, index: number): string {
  return `recordings/${matchId}/${index}`;
}

export const RECORDING_TYPE = 'application/vnd.engulf.recording';

/** A part of a recording that is durable. */
export type StoredPart = {
  readonly partCount: number;
  /** Of all parts so far. */
  readonly bytes: number;
  readonly chain: Uint8Array;
  readonly body: Uint8Array;
};

export type FoundParts = {
  /** What the next part continues, in the version that the recording began with. */
  readonly link: ChainLink;
  readonly partCount: number;
  readonly bytes: number;
  /** Where the last segment ends. */
  readonly tick: number;
  readonly end: RecordingEnd | undefined;
  /** The part after these is there, but cannot be read. */
  readonly isDamaged: boolean;
};

/** Stops before a part that cannot be read: what comes after it cannot be trusted either. */
export async function readParts(
  { storage, logger }: Pick<Context, 'storage' | 'logger'>,
  id: MatchId,
): Promise<FoundParts> {
  let found: FoundParts = {
    link: FIRST_LINK,
    partCount: 0,
    bytes: 0,
    tick: 0,
    end: undefined,
    isDamaged: false,
  };
  for (;;) {
    const bytes = await storage.get(partKey(id, found.partCount));
    if (!bytes) return found;
    const read = readFrame(bytes, 0, found.partCount > 0 ? found.link : undefined);
    if (!read.ok) {
      const { problem } = read.error;
      logger.error({ code: 'RECORDING_DAMAGED', matchId: id, part: found.partCount, problem }, 'cut there');
      return { ...found, isDamaged: true };
    }
    const { version, kind, packing, packed, chain } = read.value.frame;
    const body = packing === 'plain' ? packed : await inflate(packed, { maxOutputLength: MAX_BODY_BYTES });
    const segment = kind === 'segment' ? readSegment(body) : undefined;
    const end = kind === 'end' ? readEnd(body) : undefined;
    found = {
      link: { version, chain: chain.slice() },
      partCount: found.partCount + 1,
      bytes: found.bytes + bytes.length,
      tick: segment?.ok ? segment.value.startTick + segment.value.tickCount : found.tick,
      end: end?.ok ? end.value : undefined,
      isDamaged: false,
    };
  }
}

const inflate = promisify(inflateRaw);
