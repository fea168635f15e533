import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/*
 * Node makes a buffer for every read of an accepted socket, 64 KB cut down to a pointer's twelve bytes, thousands of
 * times a second; collecting them is most of the pauses for garbage. For sockets that a program opens itself, `net` has
 * the option `onread`: one buffer, and a callback for what was read into it. This gives it to accepted ones.
 */

const READ_BYTES = 64 * 1024;
/** A frame of each message that comes often is shorter. */
const MAX_KEPT_BYTES = 128;

const buffer = Buffer.allocUnsafeSlow(READ_BYTES);
const starts: (Buffer | undefined)[] = new Array(MAX_KEPT_BYTES + 1);

type Inside = Record<symbol, unknown> & { _handle?: { useUserBuffer?(buffer: Buffer): void } | null };

const keys = findKeys();

/**
 * From now on `onBytes` gets what is read, in a buffer that the next read of any socket overwrites, instead of listeners
 * for `data`. Where that is not possible, nothing changes.
 */
export function shareReads(stream: Duplex, onBytes: (bytes: Buffer) => void): void {
  const inside = stream as unknown as Inside;
  if (!keys || !(stream instanceof Socket) || !inside._handle?.useUserBuffer) return;
  inside[keys.buffer] = buffer;
  inside[keys.callback] = (length: number) => onBytes(startOf(length));
  inside._handle.useUserBuffer(buffer);
}

function startOf(length: number): Buffer {
  if (length > MAX_KEPT_BYTES) return buffer.subarray(0, length);
  starts[length] ??= buffer.subarray(0, length);
  return starts[length];
}

/** Where `net` keeps the two parts of `onread`. */
function findKeys(): { readonly buffer: symbol; readonly callback: symbol } | undefined {
  // There the system writes into the buffer before it tells anybody, so that sockets cannot share one.
  if (process.platform === 'win32') return undefined;
  const callback = () => true;
  const example = new Socket({ onread: { buffer, callback } }) as unknown as Inside;
  const symbols = Object.getOwnPropertySymbols(example);
  const bufferKey = symbols.find((key) => example[key] === buffer);
  const callbackKey = symbols.find((key) => example[key] === callback);
  return bufferKey && callbackKey && { buffer: bufferKey, callback: callbackKey };
}
