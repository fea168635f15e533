import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '@engulf/domain/errors/registry';
import { err, ok } from '@engulf/domain/errors/result';
import { createCrowd } from '@engulf/protocol/crowd';
import { createKeyedLimit } from '@engulf/protocol/keyed-limit';
import { ENTRANCE_LIMITS } from '../limits.ts';
import type { Clock, GameMeter } from '../ports.ts';
import type { SampledLog } from './sampled-log.ts';

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

/** Who wants to come in. */
export type Visitor = {
  readonly cookieHeader: string | undefined;
  /** The address that limits count by. */
  readonly address: string;
};

/** Decides which sockets may be opened, and counts them. */
export type Entrance = ReturnType<typeof createEntrance>;

/** What the sockets need to know of the entrance that let them in. */
export type Door = Pick<EntranceOptions, 'clock' | 'log' | 'addressOf' | 'limitScale' | 'meter'> & {
  mayJoin(address: string): boolean;
  /** The client of that socket is in its room. */
  joined?(socket: Duplex): void;
};

export function createEntrance(options: EntranceOptions) {
  const { clock, log, isOwnOrigin, limitScale } = options;
  const mayOpen = createKeyedLimit(ENTRANCE_LIMITS.socketsOpenedPerAddress, clock, limitScale);
  const open = createCrowd<Duplex>();
  /** Those whose clients are not in a room yet. */
  const waiting = createCrowd<Duplex>();
  let sockets = 0;

  /** Joining takes a moment. Whoever only keeps sockets open, from however many addresses, must not keep others out. */
  const makeRoom = (address: string): boolean => {
    const oldest = waiting.takeFromMost(address);
    oldest?.destroy();
    return oldest !== undefined;
  };
  const addresses = new WeakMap<Duplex, string>();

  return {
    clock,
    log,
    meter: options.meter,
    limitScale,
    addressOf: options.addressOf,
    /** Programs send no origin; a page cannot leave it out. */
    isForeign: ({ headers: { origin } }: IncomingMessage) => origin !== undefined && !isOwnOrigin(origin),

    mayJoin: createKeyedLimit(ENTRANCE_LIMITS.joinsPerAddress, clock, limitScale),

    /** Counts the socket until it closes, or refuses it. */
    takeSocket(request: IncomingMessage) {
      const address = options.addressOf(request);
      const { socket } = request;
      const isFull = open.countOf(address) >= ENTRANCE_LIMITS.maxSocketsPerAddress * limitScale;
      if (isFull || !mayOpen(address)) return err(failure('RATE_LIMITED'));
      if (sockets >= ENTRANCE_LIMITS.maxSockets && !makeRoom(address)) return err(failure('RATE_LIMITED'));
      sockets++;
      open.add(address, socket);
      waiting.add(address, socket);
      addresses.set(socket, address);
      socket.once('close', () => {
        sockets--;
        open.remove(address, socket);
        waiting.remove(address, socket);
      });
      return ok(undefined);
    },

    joined: (socket: Duplex) => void waiting.remove(addresses.get(socket) ?? '', socket),
  };
}
