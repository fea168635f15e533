import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { RecordingFault } from '@engulf/sim/recording/bytes';
import {
  type ChainLink,
  type Frame,
  type RecordingEnd,
  readEnd,
  readFrame,
} from '@engulf/sim/recording/frames';
import { type ReadHeader, readHeader } from '@engulf/sim/recording/header';
import { readSegment, type Segment } from '@engulf/sim/recording/segment';
import { inflate } from './inflate.ts';

/** A recording whose bytes fit their hashes. Its segments are unpacked one by one. */
export type OpenedRecording = {
  readonly header: ReadHeader;
  readonly segmentCount: number;
  segment(index: number): Promise<Result<Segment, RecordingFault>>;
  /** Where it ends. The recording of a match that runs has no end frame yet: it ends with its last segment. */
  readonly end: RecordingEnd;
  /** Of the whole recording, or of what there is of it. */
  readonly finalHash: Uint8Array;
  /** What the next frame continues. */
  readonly link: ChainLink;
  /** The hash of the recording up to each frame. */
  readonly chains: readonly Uint8Array[];
};

/**
 * Opens bytes of unknown origin: any changed bit is found here, before anything is unpacked. What is public of a match that
 * runs has no end. `link`: the frames after the header are not the first ones, but continue the frame of this link.
 */
export async function openRecording(
  bytes: Uint8Array,
  { isRunning = false, link }: { readonly isRunning?: boolean; readonly link?: ChainLink | undefined } = {},
): Promise<Result<OpenedRecording, RecordingFault>> {
  const frames: Located[] = [];
  for (let at = 0; at < bytes.length; ) {
    const read = readFrame(bytes, at, frames.length === 1 && link ? link : frames.at(-1)?.frame);
    if (!read.ok) return read;
    frames.push({ frame: read.value.frame, at });
    at = read.value.next;
  }
  const first = frames[0];
  const last = frames.at(-1);
  const segments = frames.slice(1, isRunning ? undefined : -1);
  const stray = segments.find(({ frame }) => frame.kind !== 'segment');
  if (stray) return err({ problem: `a ${stray.frame.kind} in the middle`, position: stray.at });
  if (first?.frame.kind !== 'header') return err({ problem: 'it has no header', position: 0 });
  if (!last || (!isRunning && last.frame.kind !== 'end'))
    return err({ problem: 'it has no end', position: bytes.length });
  const { version } = first.frame;
  const header = await unpack(first, (body) => readHeader(body, version));
  if (!header.ok) return header;
  const end = await (isRunning ? endOf(segments) : unpack(last, readEnd));
  if (!end.ok) return end;
  return ok({
    header: header.value,
    segmentCount: segments.length,
    segment: (index) => unpack(segments[index]!, readSegment),
    end: end.value,
    finalHash: last.frame.chain,
    link: { version, chain: last.frame.chain },
    chains: frames.map(({ frame }) => frame.chain),
  });
}

async function endOf(segments: readonly Located[]): Promise<Result<RecordingEnd, RecordingFault>> {
  const last = segments.at(-1);
  if (!last) return ok({ finalTick: 0, isCut: false });
  const segment = await unpack(last, readSegment);
  if (!segment.ok) return segment;
  return ok({ finalTick: segment.value.startTick + segment.value.tickCount, isCut: false });
}

type Located = { readonly frame: Frame; readonly at: number };

async function unpack<Content>(
  { frame, at }: Located,
  read: (body: Uint8Array) => Result<Content, RecordingFault>,
): Promise<Result<Content, RecordingFault>> {
  const body = frame.packing === 'plain' ? frame.packed : await inflate(frame.packed, frame.bodyLength);
  if (body?.length !== frame.bodyLength) return err({ problem: 'a frame cannot be unpacked', position: at });
  const content = read(body);
  return content.ok ? content : err({ problem: content.error.problem, position: at });
}
