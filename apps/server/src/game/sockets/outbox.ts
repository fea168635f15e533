import type { Duplex } from 'node:stream';

/**
 * Whatever a client is sent in one turn of the event loop, a whole tick say, reaches the network in one piece. A room
 * writes to all its clients in a row, which takes less time than writing to each between two encodings.
 */
export type Outbox = {
  post(frame: Buffer): void;
  /** Sends at once what has been posted. */
  flush(): void;
};

let waiting: Outbox[] = [];

export function createOutbox(stream: Duplex): Outbox {
  let first: Buffer | undefined;
  /** Mostly there is only one, and emptying a list costs more than the rest of this. */
  let all: Buffer[] | undefined;
  const outbox: Outbox = {
    post: (frame) => {
      if (first) {
        all ??= [first];
        all.push(frame);
      } else {
        first = frame;
        flushAfterTurn(outbox);
      }
    },
    flush: () => {
      if (!first) return;
      const bytes = all ? Buffer.concat(all) : first;
      first = undefined;
      all = undefined;
      if (stream.writable) stream.write(bytes);
    },
  };
  return outbox;
}

function flushAfterTurn(outbox: Outbox): void {
  if (waiting.length === 0) process.nextTick(flushAll);
  waiting.push(outbox);
}

/** Sends at once what has been posted to anybody. */
export function flushAll(): void {
  const outboxes = waiting;
  waiting = [];
  for (const outbox of outboxes) outbox.flush();
}
