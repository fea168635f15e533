import type { Duplex as Stream } from 'node:stream';
import { Duplex } from 'node:stream';

/**
 * Stands between a client's socket and `ws`, which takes any stream: `onBytes` sees what arrives first, and returns whether
 * `ws` is to have it.
 */
export function createWire(socket: Stream, onBytes: (chunk: Buffer) => boolean): Duplex {
  const wire = new Duplex({
    read: () => void socket.resume(),
    // The backlog is the socket's alone: it is where the outbox writes.
    write: (chunk: Buffer, _encoding, done) => {
      socket.write(chunk);
      done();
    },
    // In one piece, so that nothing gets between the head and the body of a frame.
    writev: (chunks, done) => {
      socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer)));
      done();
    },
    final: (done) => socket.end(done),
    destroy: (error, done) => {
      socket.destroy();
      done(error);
    },
  });
  socket.on('data', (chunk: Buffer) => {
    if (onBytes(chunk) && !wire.destroyed && !wire.push(chunk)) socket.pause();
  });
  // Both sides have said goodbye; ending what has ended would cost an error each time.
  socket.on('end', () => (wire.writableEnded ? wire.destroy() : wire.push(null)));
  socket.on('error', (error) => wire.destroy(error));
  socket.on('close', () => wire.destroy());
  return wire;
}
