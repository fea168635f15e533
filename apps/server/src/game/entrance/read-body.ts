import type { IncomingMessage } from 'node:http';
import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { Clock } from '../ports.ts';

type BodyLimits = { readonly maxBytes: number; readonly withinMs: number };

/** The body as text, unless it is too large or too slow. Never holds more than the limit. */
export function readBody(
  request: IncomingMessage,
  { maxBytes, withinMs }: BodyLimits,
  clock: Clock,
): Promise<Result<string, Failure<'PAYLOAD_TOO_LARGE' | 'INVALID_REQUEST'>>> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (result: Awaited<ReturnType<typeof readBody>>) => {
      cancelDeadline();
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) finish(err(failure('PAYLOAD_TOO_LARGE')));
      else chunks.push(chunk);
    };
    const onEnd = () => finish(ok(Buffer.concat(chunks).toString('utf8')));
    const onClose = () => finish(err(failure('INVALID_REQUEST')));
    const cancelDeadline = clock.setTimer(withinMs, () => finish(err(failure('INVALID_REQUEST'))));
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      finish(err(failure('PAYLOAD_TOO_LARGE')));
      return;
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/**
 * Gives the client of a refused body a moment to read the answer: a connection closed while the client still sends
 * would be reset. The rest of a small body is discarded, that of a large one is not even read.
 */
export function lingerAfterRefusal(
  request: IncomingMessage,
  limits: BodyLimits,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const finish = () => {
      cancelDeadline();
      request.off('data', onData).off('end', finish).off('close', finish);
      resolve();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > limits.maxBytes) request.pause();
    };
    const cancelDeadline = clock.setTimer(limits.withinMs, finish);
    if (request.readableEnded || request.destroyed) finish();
    else request.on('data', onData).on('end', finish).on('close', finish).resume();
  });
}
