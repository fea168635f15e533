import type { IncomingMessage } from 'node:http';
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import { ENTRANCE_LIMITS } from '../limits.ts';
import type { Clock, Game, GameMeter } from '../ports.ts';
import { createKeyedLimit } from './keyed-limit.ts';
import type { SampledLog } from './sampled-log.ts';
import { createWaitingLine } from './waiting-line.ts';

/** What the rest of the process tells the rooms about whoever knocks. */
export type EntranceOptions = {
  readonly clock: Clock;
  readonly log: SampledLog;
  /** The address that limits count by. */
  addressOf(request: IncomingMessage): string;
  /** Whether a page of that origin may talk to the rooms. */
  isOwnOrigin(origin: string): boolean;
  /** Multiplies the limits per address: above 1 where many clients share one, as tests do. */
  readonly limitScale: number;
  readonly meter?: GameMeter | undefined;
};

/** The one way in, shared by matchmaking and sockets, and the counts of who came. */
export type Entrance = ReturnType<typeof createEntrance>;

/** What the sockets need to know of the entrance that let them in. */
export type Door = Pick<EntranceOptions, 'clock' | 'log' | 'addressOf' | 'meter'>;

export function createEntrance(options: EntranceOptions) {
  const { clock, log, isOwnOrigin, limitScale } = options;
  const mayRequest = createKeyedLimit(ENTRANCE_LIMITS.requestsPerAddress, clock, limitScale);
  const mayOpen = createKeyedLimit(ENTRANCE_LIMITS.socketsOpenedPerAddress, clock, limitScale);
  const socketsByAddress = new Map<string, number>();
  let sockets = 0;

  return {
    clock,
    log,
    meter: options.meter,
    addressOf: options.addressOf,
    /** Undefined until the rooms are open. */
    game: undefined as Pick<Game, 'reserveSeat'> | undefined,

    /** Programs send no origin; a page cannot leave it out. */
    isForeign: ({ headers: { origin } }: IncomingMessage) => origin !== undefined && !isOwnOrigin(origin),

    /** Resolves when it is this request's turn. */
    turn: createWaitingLine(clock),

    takeRequest: (request: IncomingMessage) => mayRequest(options.addressOf(request)),

    /** Counts the socket until it closes, or refuses it. */
    takeSocket(request: IncomingMessage) {
      const address = options.addressOf(request);
      const open = socketsByAddress.get(address) ?? 0;
      const isFull =
        sockets >= ENTRANCE_LIMITS.maxSockets || open >= ENTRANCE_LIMITS.maxSocketsPerAddress * limitScale;
      if (isFull || !mayOpen(address)) return err(failure('RATE_LIMITED'));
      sockets++;
      socketsByAddress.set(address, open + 1);
      request.socket.once('close', () => {
        sockets--;
        const left = socketsByAddress.get(address)! - 1;
        if (left > 0) socketsByAddress.set(address, left);
        else socketsByAddress.delete(address);
      });
      return ok(undefined);
    },
  };
}
