import { parseArgs } from 'node:util';

export type RoomOptions = {
  /** In all rooms together; one measurement for each. */
  readonly clients: readonly number[];
  readonly rooms: number;
  /** Of their own for the rooms; 0: they run in the server's. */
  readonly processes: number;
  /** Players who do not look at what they are sent, and head anywhere: less work for a small machine. */
  readonly areBlind: boolean;
  readonly seconds: number;
  /** Measurements of each kind, of which the median counts. */
  readonly runs: number;
  readonly isJson: boolean;
};

const CLIENTS = [10, 50, 100, 200];
const MAX_CLIENTS = 2_000;
const MAX_PROCESSES = 64;

/** Throws with a text for people if anything is not a number that makes sense. */
export function parseRoomOptions(parameters: readonly string[]): RoomOptions {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      json: { type: 'boolean', default: false },
      clients: { type: 'string', multiple: true },
      rooms: { type: 'string', default: '1' },
      processes: { type: 'string', default: '0' },
      blind: { type: 'boolean', default: false },
      seconds: { type: 'string', default: '15' },
      runs: { type: 'string', default: '1' },
    },
  });
  const clients = values.clients?.map((text) => wholeNumber('clients', text, MAX_CLIENTS)) ?? CLIENTS;
  const rooms = wholeNumber('rooms', values.rooms, MAX_CLIENTS);
  const processes = wholeNumber('processes', values.processes, MAX_PROCESSES, 0);
  if (processes > rooms) throw new Error('--processes: every process needs a room');
  if (clients.some((count) => count < rooms)) throw new Error('--rooms: every room needs a client');
  return {
    clients,
    rooms,
    processes,
    areBlind: values.blind,
    seconds: wholeNumber('seconds', values.seconds, 3_600),
    runs: wholeNumber('runs', values.runs, 99),
    isJson: values.json,
  };
}

function wholeNumber(name: string, text: string, max: number, min = 1): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`--${name} takes a whole number from ${min} to ${max}, not "${text}"`);
}
