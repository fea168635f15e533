import { request } from 'node:http';
import type { Socket } from 'node:net';

/*
 * Stands in for Node's WebSocket, which takes as much of a player's time as everything else together: the players share
 * two cores with the rooms that are measured. Only what a player uses is here, for servers that send whole frames, as the
 * rooms do.
 */

const OPCODE = { binary: 0x2, close: 0x8, ping: 0x9, pong: 0xa } as const;
const FINAL = 0x80;
const MASKED = 0x80;
const MASK_BYTES = 4;
const SHORT = 125;
const LENGTH_IN_TWO_BYTES = 126;

export class QuickSocket {
  static readonly OPEN = 1;
  static readonly CLOSED = 3;
  readyState = 0;
  binaryType = 'arraybuffer';
  onopen: ((event: object) => void) | null = null;
  onmessage: ((event: { readonly data: Uint8Array }) => void) | null = null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null = null;
  onerror: ((event: unknown) => void) | null = null;
  #line: Socket | undefined;
  /** The beginning of a frame whose end has not come yet. */
  #rest: Buffer | undefined;

  readonly #onFrame: (frame: Uint8Array) => void;

  constructor(url: string, onFrame: (frame: Uint8Array) => void) {
    this.#onFrame = onFrame;
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const opening = request(url.replace('ws:', 'http:'), { headers, agent: false });
    opening.on('upgrade', (_response, line, head) => this.#open(line as Socket, head));
    opening.on('error', (error) => this.onerror?.(error));
    opening.end();
  }

  send(data: Uint8Array): void {
    this.#write(OPCODE.binary, data);
  }

  close(): void {
    this.#write(OPCODE.close, Buffer.of(0x03, 0xe8));
  }

  #open(line: Socket, head: Buffer): void {
    this.#line = line;
    this.readyState = QuickSocket.OPEN;
    line.setNoDelay(true);
    line.on('data', (chunk) => this.#read(chunk));
    line.on('error', (error) => this.onerror?.(error));
    line.on('close', () => {
      this.readyState = QuickSocket.CLOSED;
      this.onclose?.({ code: 1000, reason: '' });
    });
    this.onopen?.({});
    if (head.length > 0) this.#read(head);
  }

  #read(chunk: Buffer): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    for (;;) {
      const lengthByte = bytes[at + 1]!;
      const headBytes = lengthByte <= SHORT ? 2 : lengthByte === LENGTH_IN_TWO_BYTES ? 4 : 10;
      if (at + headBytes > bytes.length) break;
      const length =
        headBytes === 2
          ? lengthByte
          : headBytes === 4
            ? bytes.readUInt16BE(at + 2)
            : bytes.readUInt32BE(at + 6);
      const end = at + headBytes + length;
      if (end > bytes.length) break;
      this.#take(bytes[at]! & ~FINAL, bytes.subarray(at + headBytes, end));
      at = end;
    }
    this.#rest = at < bytes.length ? bytes.subarray(at) : undefined;
  }

  #take(opcode: number, body: Buffer): void {
    if (opcode === OPCODE.binary) {
      this.#onFrame(body);
      this.onmessage?.({ data: body });
    }
    if (opcode === OPCODE.ping) this.#write(OPCODE.pong, body);
    else if (opcode === OPCODE.close) this.#line?.end();
  }

  /** With a mask of zeros, which leaves the body as it is. */
  #write(opcode: number, body: Uint8Array): void {
    const bodyAt = (body.length <= SHORT ? 2 : 4) + MASK_BYTES;
    const frame = Buffer.alloc(bodyAt + body.length);
    frame[0] = FINAL | opcode;
    if (body.length <= SHORT) frame[1] = MASKED | body.length;
    else {
      frame[1] = MASKED | LENGTH_IN_TWO_BYTES;
      frame.writeUInt16BE(body.length, 2);
    }
    frame.set(body, bodyAt);
    this.#line?.write(frame);
  }
}
