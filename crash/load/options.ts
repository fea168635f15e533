import { parseArgs } from 'node:util';

export type LoadOptions = {
  readonly players: number;
  readonly minutes: number;
  /** Undefined: a server of its own, in a temporary folder. */
  readonly url: string | undefined;
  readonly accessCode: string;
  readonly seed: number;
  /** The writes of so many players alone. */
  readonly shape: number | undefined;
  /** How long they go on. */
  readonly seconds: number;
  /** How many processes play them; undefined: as many as the cores can use. */
  readonly processes: number | undefined;
};

const MAX_PLAYERS = 500;
const MAX_MINUTES = 120;
const MAX_SHAPE = 200_000;
const MAX_PROCESSES = 64;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Throws with a text for people. */
export function parseLoadOptions(parameters: readonly string[]): LoadOptions {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      players: { type: 'string', default: '20' },
      minutes: { type: 'string', default: '2' },
      url: { type: 'string' },
      'access-code': { type: 'string', default: '' },
      seed: { type: 'string', default: '1' },
      shape: { type: 'string' },
      seconds: { type: 'string', default: '30' },
      processes: { type: 'string' },
      'yes-i-own-this-server': { type: 'boolean', default: false },
    },
  });
  const players = readNumber('players', values.players, MAX_PLAYERS);
  if (!Number.isInteger(players) || players < 1) throw new Error('--players takes a whole number from 1 up');
  return {
    players,
    minutes: readNumber('minutes', values.minutes, MAX_MINUTES),
    url: values.url === undefined ? undefined : readUrl(values.url, values['yes-i-own-this-server']),
    accessCode: values['access-code'],
    seed: readNumber('seed', values.seed, 2 ** 32),
    shape: values.shape === undefined ? undefined : readNumber('shape', values.shape, MAX_SHAPE),
    seconds: readNumber('seconds', values.seconds, 3_600),
    processes:
      values.processes === undefined
        ? undefined
        : Math.ceil(readNumber('processes', values.processes, MAX_PROCESSES)),
  };
}

function readNumber(name: string, text: string, max: number): number {
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value > 0 && value <= max) return value;
  throw new Error(`--${name} takes a number above 0 and up to ${max}, not "${text}"`);
}

/** Many clients at once are an attack, unless the server's owner wants them. */
function readUrl(text: string, isOwned: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`--url is not an http address: "${text}"`);
  if (!isOwned && !LOOPBACK.test(url.hostname)) {
    throw new Error(`${url.hostname} is not this machine. If it is yours, add --yes-i-own-this-server`);
  }
  return url.origin;
}
