import { dirname, join } from 'node:path/posix';

/*
 * The architecture as a table: which room may import from which. A room is a folder or a file; a file belongs to the
 * longest room that it lies in, and may import freely within it. `npm run check` enforces this; circles,
 * undeclared dependencies and the purity of the simulation are Biome's.
 */

type Room = {
  /** Other rooms, by path. `*` at the end takes all rooms that begin like this. */
  readonly sees: readonly string[];
  /** Runs in browsers, so no `node:` modules. */
  readonly isForBrowsers?: true;
  /** Holds files, but no folders: a new folder needs a room of its own. */
  readonly isFlat?: true;
  /** Its tests may import from here only. Elsewhere tests may import what they need. */
  readonly testsStayIn?: string;
};

const server = (names: string) => names.split(' ').map((name) => `apps/server/src/${name}`);
const web = (names: string) => names.split(' ').map((name) => `apps/web/src/${name}`);
const arena = (names: string) => names.split(' ').map((name) => `apps/web/src/features/arena/${name}`);
const packages = (names: string) => names.split(' ').map((name) => `packages/${name}`);

const CHAIN = packages('domain chain');
const CALLS = packages('domain protocol');
const GAME = packages('domain sim netcode protocol');
const FEATURE = [...web('shared art ui'), ...packages('domain protocol chain card')];

/** Opens the key that can empty the pools. Only the signer of payouts, the operator's commands and the seeds need it. */
const KEY = 'platform/super-admin-key.ts';

/** What the tests of the game share: its own ports, in memory. */
const GAME_TESTING = 'apps/server/testing/game';

export const ROOMS: { readonly [path: string]: Room } = {
  'packages/domain': { sees: [], isForBrowsers: true },
  'packages/card': { sees: [], isForBrowsers: true },
  'packages/sim': { sees: packages('domain'), isForBrowsers: true },
  'packages/netcode': { sees: packages('sim'), isForBrowsers: true },
  'packages/protocol': { sees: packages('domain'), isForBrowsers: true },
  'packages/chain/src': { sees: packages('domain'), isForBrowsers: true },
  'packages/localnet': { sees: CHAIN },
  'packages/verify/src': { sees: packages('domain protocol sim chain'), isForBrowsers: true },

  'packages/integrity': { sees: packages('sim netcode verify/src') },

  'apps/server/src/platform': { sees: [...server(KEY), ...CHAIN, ...packages('sim localnet protocol')] },
  'apps/server/src/platform/super-admin-key.ts': { sees: [] },
  'apps/server/src/lobbies': { sees: [...server(`platform ${KEY}`), ...CHAIN, ...CALLS] },
  'apps/server/src/prices': { sees: [...server('platform'), ...packages('domain')] },
  'apps/server/src/money/signer': { sees: [...server(`platform ${KEY}`), ...CHAIN] },
  'apps/server/src/money': { sees: [...server('platform lobbies money/signer'), ...CHAIN] },
  'apps/server/src/solvency': { sees: [...server('platform lobbies money'), ...CHAIN, ...CALLS] },
  'apps/server/src/limits': { sees: [...server('platform lobbies'), ...CALLS] },
  'apps/server/src/gathering': { sees: [...server('platform lobbies'), ...CALLS] },
  'apps/server/src/entries': {
    sees: [...server('platform lobbies money limits stats gathering integrity'), ...CALLS],
  },
  'apps/server/src/matches': {
    sees: [...server('platform lobbies money'), ...CHAIN, ...CALLS, ...packages('sim')],
  },
  'apps/server/src/integrity': {
    sees: [...server('platform lobbies matches'), ...CHAIN, ...packages('sim integrity verify/src')],
  },
  'apps/server/src/payments': {
    sees: [...server('platform lobbies money limits entries integrity'), ...CHAIN, ...CALLS],
  },
  'apps/server/src/stats': { sees: [...server('platform lobbies'), ...CALLS] },
  'apps/server/src/accounts': { sees: [...server('platform stats'), ...CALLS, ...packages('card')] },
  'apps/server/src/chat': { sees: [...server('platform lobbies'), ...CALLS] },
  'apps/server/src/social': { sees: [...server('platform'), ...CALLS] },
  'apps/server/src/share': { sees: [...server('platform lobbies accounts'), ...packages('domain card')] },
  'apps/server/src/metrics': { sees: server('platform game') },
  'apps/server/src/menu': {
    sees: [...server('platform lobbies entries stats accounts chat gathering'), ...CALLS],
  },
  'apps/server/src/game': { sees: GAME, isFlat: true, testsStayIn: 'apps/server/src/game' },
  'apps/server/src/game/board': { sees: [...server('game'), ...GAME], testsStayIn: 'apps/server/src/game' },
  'apps/server/src/game/views': { sees: [...server('game'), ...GAME], testsStayIn: 'apps/server/src/game' },
  'apps/server/src/game/match': {
    sees: [...server('game game/board game/views'), ...GAME],
    testsStayIn: 'apps/server/src/game',
  },
  'apps/server/src/game/entrance': {
    sees: [...server('game'), ...GAME],
    testsStayIn: 'apps/server/src/game',
  },
  'apps/server/src/game/sockets': {
    sees: [...server('game game/entrance game/views'), ...GAME],
    testsStayIn: 'apps/server/src/game',
  },
  'apps/server/src/game/room': { sees: [...server('game*'), ...GAME], testsStayIn: 'apps/server/src/game' },
  [GAME_TESTING]: { sees: [...server('game*'), ...GAME], testsStayIn: 'apps/server/src/game' },
  'apps/server/src/game-host': {
    sees: [
      ...server('platform lobbies money entries accounts matches prices chat game gathering'),
      ...packages('domain protocol sim'),
    ],
  },
  'apps/server/src/room-processes': {
    sees: [
      ...server('platform game game/entrance game/sockets game/room'),
      ...packages('domain protocol sim'),
    ],
  },
  'apps/server/src/admin': {
    sees: [
      ...server(
        `platform ${KEY} lobbies money entries payments accounts stats social integrity chat matches`,
      ),
      ...CHAIN,
      ...packages('verify/src integrity'),
    ],
  },
  'apps/server/src/console': {
    sees: [...server('platform lobbies money accounts integrity chat admin'), ...CALLS],
  },
  'apps/server/src/http': {
    sees: [
      ...server(
        'platform metrics lobbies prices solvency limits entries payments stats accounts social share chat menu matches integrity admin console',
      ),
      ...CALLS,
      ...packages('card'),
    ],
  },
  'apps/server/src/roles': {
    sees: [
      ...server(
        'platform metrics prices solvency entries payments money money/signer social stats chat menu matches integrity http admin console game-host gathering game game/entrance game/sockets game/room room-processes',
      ),
      ...packages('domain'),
    ],
  },
  'apps/server/testing': { sees: server('*') },
  'apps/server/src': { sees: server('*'), isFlat: true },

  'apps/web/src/shared': { sees: packages('domain protocol netcode'), isForBrowsers: true },
  'apps/web/src/art': { sees: [...web('shared'), ...packages('card domain')], isForBrowsers: true },
  'apps/web/src/ui': { sees: [...web('shared art'), ...packages('card domain')], isForBrowsers: true },
  'apps/web/src/features/access': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/chat': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/entry': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/fairness': { sees: [...FEATURE, ...packages('verify/src')], isForBrowsers: true },
  'apps/web/src/features/console': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/guide': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/leaderboard': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/limits': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/gathering': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/lobbies': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/profile': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/solvency': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/stats-feed': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/wallet': { sees: FEATURE, isForBrowsers: true },
  'apps/web/src/features/arena/text.ts': { sees: arena('input'), isForBrowsers: true },
  'apps/web/src/features/arena/arena-visit.ts': { sees: CALLS, isForBrowsers: true },
  'apps/web/src/features/arena/net': { sees: [...arena('arena-visit.ts'), ...GAME], isForBrowsers: true },
  'apps/web/src/features/arena/model/playout': { sees: GAME, isForBrowsers: true },
  'apps/web/src/features/arena/model/own': {
    sees: [...arena('model/playout'), ...GAME],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/model/frame': {
    sees: [...arena('model/playout net'), ...GAME],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/model': {
    sees: [...arena('model* net'), ...GAME],
    isForBrowsers: true,
    isFlat: true,
  },
  'apps/web/src/features/arena/sound': {
    sees: [...arena('model* net'), ...web('shared')],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/input': {
    sees: [...arena('model* net'), ...web('shared'), ...packages('domain protocol sim netcode')],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/render': {
    sees: [...arena('model* net'), ...web('art'), ...GAME],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/popups': {
    sees: [...arena('arena-visit.ts text.ts net render'), ...FEATURE, ...packages('sim')],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/settings': {
    sees: [...arena('text.ts input'), ...FEATURE],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/chat': {
    sees: [...arena('text.ts net input'), ...FEATURE, ...packages('netcode')],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/hud': {
    sees: [...arena('arena-visit.ts text.ts net model* input popups settings chat'), ...FEATURE],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena/replay': {
    sees: [
      ...web('features/arena'),
      ...arena('input hud model* net render sound'),
      ...FEATURE,
      ...GAME,
      ...packages('verify/src'),
    ],
    isForBrowsers: true,
  },
  'apps/web/src/features/arena': { sees: [...arena('*'), ...FEATURE], isForBrowsers: true, isFlat: true },
  'apps/web/src/app': { sees: [...web('*'), ...packages('domain protocol card')], isForBrowsers: true },
  'apps/web/src/testing': { sees: web('*') },
  'apps/web/src/features': { sees: [], isFlat: true },
  'apps/web/src': { sees: web('app shared'), isForBrowsers: true, isFlat: true },
};

/** Libraries that only some rooms know. */
const LIBRARIES: { readonly [prefix: string]: readonly string[] } = {
  ws: [...server('game/sockets'), ...packages('localnet')],
  'drizzle-orm': server('*'),
  'pixi.js': arena('render'),
};

/** The imports that no arrow allows, one line each. `files` are paths from the root and their texts. */
export function findForbiddenImports(files: ReadonlyMap<string, string>): string[] {
  return [...files].flatMap(([file, text]) => {
    const home = roomOf(file);
    const isTest = /\.test\.tsx?$|\/testing\//.test(file);
    if (!home) return [];
    if (ROOMS[home]!.isFlat && dirname(file) !== home)
      return [`${file}: its folder is not in the table of arrows`];
    if (isTest && !ROOMS[home]!.testsStayIn) return [];
    return importsOf(text).flatMap((specifier) => {
      const complaint = complaintAbout(home, file, specifier, isTest);
      return complaint ? [`${file}: ${complaint}`] : [];
    });
  });
}

function complaintAbout(home: string, file: string, specifier: string, isTest: boolean): string | undefined {
  if (specifier.startsWith('node:')) {
    return ROOMS[home]!.isForBrowsers && `${home} runs in browsers and must not import ${specifier}`;
  }
  const library = Object.keys(LIBRARIES).find((prefix) => specifier.startsWith(prefix));
  if (library !== undefined) {
    const isKnown = isTest || LIBRARIES[library]!.some((pattern) => matches(pattern, home));
    return isKnown ? undefined : `${home} must not import ${specifier}`;
  }
  const target = targetOf(file, specifier);
  const there = target && roomOf(target);
  if (!there || there === home) return undefined;
  const { sees, testsStayIn } = ROOMS[home]!;
  const isSeen =
    sees.some((pattern) => matches(pattern, there)) ||
    (isTest && [`${testsStayIn}*`, GAME_TESTING].some((pattern) => matches(pattern, there)));
  return isSeen ? undefined : `${home} must not import ${there} (${specifier})`;
}

function targetOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(file), specifier);
  const [, name, path] = /^@engulf\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (name === 'server' && path!.startsWith('testing/')) return `apps/server/${path}.ts`;
  return name === 'server' || name === 'web'
    ? `apps/${name}/src/${path}.ts`
    : `packages/${name}/src/${path}.ts`;
}

const ROOM_PATHS = Object.keys(ROOMS).sort((a, b) => b.length - a.length);

function roomOf(path: string): string | undefined {
  return ROOM_PATHS.find((room) => path === room || path.startsWith(`${room}/`));
}

/** A path that is not a room itself stands for the rooms below it: `packages/chain` for `packages/chain/src`. */
function matches(pattern: string, room: string): boolean {
  if (pattern.endsWith('*')) return room.startsWith(pattern.slice(0, -1));
  return room === pattern || (room.startsWith(`${pattern}/`) && ROOMS[pattern] === undefined);
}

function importsOf(text: string): string[] {
  const pattern = /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms;
  return [...text.matchAll(pattern)].map(([, from, bare, dynamic]) => (from ?? bare ?? dynamic)!);
}
