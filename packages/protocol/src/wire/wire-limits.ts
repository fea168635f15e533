import { createKeyedLimit } from '../keyed-limit.ts';
import { createBucket, type MessageLimit, takeTokens } from '../token-bucket.ts';
import { createFrameWalk, type FrameWalk, walkFrames } from './frame-walk.ts';

/** Frames of any kind and bytes, as they come over the network. */
export type WireLimits = {
  readonly framesPerSocket: MessageLimit;
  readonly bytesPerSocket: MessageLimit;
  readonly framesPerAddress: MessageLimit;
  readonly bytesPerAddress: MessageLimit;
};

/** The bytes of one WebSocket, each counted before anything reads it. */
export type Wire = {
  readonly walk: FrameWalk;
  /** Looks at the next bytes. Returns why the socket is to be cut off, if it is. */
  take(chunk: Uint8Array): string | undefined;
};

/** `scale` raises what one address may send. */
export function createWireLimits(limits: WireLimits, clock: { monotonicMs(): number }, scale: number) {
  const mayAddressSend = createKeyedLimit(limits.bytesPerAddress, clock, scale);
  const mayAddressBegin = createKeyedLimit(limits.framesPerAddress, clock, scale);
  return (address: string): Wire => {
    const bytes = createBucket(limits.bytesPerSocket, clock.monotonicMs());
    const frames = createBucket(limits.framesPerSocket, clock.monotonicMs());
    const walk = createFrameWalk();
    return {
      walk,
      take: (chunk) => {
        const nowMs = clock.monotonicMs();
        if (!takeTokens(bytes, chunk.length, nowMs)) return 'too many bytes';
        if (!mayAddressSend(address, chunk.length)) return 'too many bytes of an address';
        walkFrames(walk, chunk);
        if (walk.hasPiece) return 'a message in pieces';
        // Reading costs about the same for a byte as for a frame, so a part of a frame counts as one.
        const count = Math.max(1, walk.frames);
        if (!takeTokens(frames, count, nowMs)) return 'too many frames';
        return mayAddressBegin(address, count) ? undefined : 'too many frames of an address';
      },
    };
  };
}
