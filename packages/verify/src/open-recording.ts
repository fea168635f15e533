import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { RecordingFault } from '@engulf/sim/recording/bytes';
import { type Frame, type RecordingEnd, readEnd, readFrame } from '@engulf/sim/recording/frames';
import { type ReadHeader, readHeader } from '@engulf/sim/recording/header';
import { readSegment, type Segment } from '@engulf/sim/recording/segment';
import { inflate } from './inflate.ts';

/** A recording whose bytes fit their hashes. Its segments are unpacked one by one. */
export type OpenedRecording = {
  readonly header: ReadHeader;
  readonly segmentCount: number;
  segment(index: number): Promise<Result<Segment, RecordingFault>>;
  readonly end: RecordingEnd;
  /** Of the whole recording. */
  readonly finalHash: Uint8Array;
};

/** Opens bytes of unknown origin: any changed bit is found here, before anything is unpacked. */
export async function openRecording(bytes: Uint8Array): Promise<Result<OpenedRecording, RecordingFault>> {
  const frames: Located[] = [];
  for (let at = 0; at < bytes.length; ) {
    const read = readFrame(bytes, at, frames.at(-1)?.frame);
    if (!read.ok) return read;
    frames.push({ frame: read.value.frame, at });
    at = read.value.next;
  }
  const first = frames[0];
  const last = frames.at(-1);
  const segments = frames.slice(1, -1);
  const stray = segments.find(({ frame }) => frame.kind !== 'segment');
  if (stray) return err({ problem: `a ${stray.frame.kind} in the middle`, position: stray.at });
  if (first?.frame.kind !== 'header') return err({ problem: 'it has no header', position: 0 });
  if (last?.frame.kind !== 'end') return err({ problem: 'it has no end', position: bytes.length });
  const { version } = first.frame;
  const header = await unpack(first, (body) => readHeader(body, version));
  if (!header.ok) return header;
  const end = await unpack(last, readEnd);
  if (!end.ok) return end;
  return ok({
    header: header.value,
    segmentCount: segments.length,
    segment: (index) => unpack(segments[index]!, readSegment),
    end: end.value,
    finalHash: last.frame.chain,
  });
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
