import type { Row } from './write-tables.ts';

/** What `npm run bench:all` runs, and where in the JSON of each the rows of its table are. */
export const BENCHMARKS: readonly {
  readonly name: string;
  readonly arguments: readonly string[];
  readonly rowsOf: (json: Readonly<Record<string, readonly Row[]>>) => readonly Row[] | undefined;
}[] = [
  { name: 'feel', arguments: ['bench/feel.ts'], rowsOf: ({ lines }) => lines },
  { name: 'sim', arguments: ['bench/sim.ts'], rowsOf: ({ sizes }) => sizes },
  {
    name: 'room',
    arguments: [
      'bench/room.ts',
      ...['10', '100', '400'].flatMap((count) => ['--clients', count]),
      '--runs',
      '3',
    ],
    rowsOf: ({ results }) => results,
  },
  {
    name: 'rooms',
    arguments: ['bench/room.ts', '--clients', '1000', '--rooms', '100', '--blind'],
    rowsOf: ({ results }) => results,
  },
  { name: 'menu', arguments: ['bench/menu.ts'], rowsOf: ({ menu }) => menu },
  { name: 'idle', arguments: ['bench/idle.ts'], rowsOf: ({ idle }) => idle },
  { name: 'start', arguments: ['e2e/bench-start.ts'], rowsOf: ({ start }) => start },
  {
    name: 'downloads',
    arguments: ['e2e/bench-start.ts', '--runs', '1'],
    rowsOf: ({ downloads }) => downloads,
  },
];
