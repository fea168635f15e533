import { ECHO_PATH } from '@engulf/protocol/http/echo';
import type { Lobby } from '@engulf/protocol/lobby';
import { create } from 'zustand';

/*
 * How far away the lobbies are: the time that an echo takes to their region and back. All rooms of a region are about as far,
 * so one of them is asked.
 */

type Way = { readonly ms: number; readonly measuredAtMs: number };
type Ways = { readonly [region: string]: Way };

const useWayStore = create<{ readonly ways: Ways }>()(() => ({ ways: {} }));

/** The first echo opens the connection, which takes longer, and does not count. */
const ECHOES = 4;
const ANSWER_WITHIN_MS = 2_000;
const MAX_REGIONS = 12;
/** Whoever stays in the menu moves little. */
export const MEASURE_EVERY_MS = 5 * 60_000;
/** With one region the way is worth a word only from here on. */
const NOTABLE_MS = 100;
/** Smaller differences come and go. */
const EQUAL_MS = 20;

type Place = Pick<Lobby, 'region' | 'baseGame'>;

const regionOf = ({ region, baseGame }: Place) => region ?? baseGame ?? '';

/** Measures the way to each region that was not measured of late, one after another so that they do not disturb each other. */
export async function measureWays(
  lobbies: readonly Place[],
  endpointOf: (lobby: Place) => string,
  measure: (endpoint: string) => Promise<number | undefined> = measureWay,
): Promise<void> {
  const regions = new Map(lobbies.map((lobby) => [regionOf(lobby), lobby]));
  for (const [region, lobby] of [...regions].slice(0, MAX_REGIONS)) {
    const known = useWayStore.getState().ways[region];
    if (known && performance.now() - known.measuredAtMs < MEASURE_EVERY_MS) continue;
    const ms = await measure(endpointOf(lobby));
    if (ms === undefined) continue;
    const way = { ms: Math.round(ms), measuredAtMs: performance.now() };
    useWayStore.setState(({ ways }) => ({ ways: { ...ways, [region]: way } }));
  }
}

/** Undefined if nobody answers. */
async function measureWay(endpoint: string): Promise<number | undefined> {
  const times: number[] = [];
  try {
    for (let echo = 0; echo < ECHOES; echo++) {
      const startedMs = performance.now();
      await fetch(`${endpoint.replace(/\/$/, '')}${ECHO_PATH}`, {
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      times.push(performance.now() - startedMs);
    }
  } catch {
    return undefined;
  }
  return Math.min(...times.slice(1));
}

export function useWays(): Ways {
  return useWayStore((state) => state.ways);
}

/** In milliseconds; undefined while it is not known. */
export function wayTo(lobby: Place, ways: Ways): number | undefined {
  return ways[regionOf(lobby)]?.ms;
}

/** The way as the menu shows it: where there is a choice, or where it is long. */
export function shownWay(lobby: Place, lobbies: readonly Place[], ways: Ways): number | undefined {
  const ms = wayTo(lobby, ways);
  const hasChoice = lobbies.some((other) => regionOf(other) !== regionOf(lobby));
  return ms !== undefined && (hasChoice || ms >= NOTABLE_MS) ? ms : undefined;
}

/** Lobbies that differ in nothing but where they are come nearest first, in the places that they have in the list. */
export function nearestFirst(lobbies: readonly Lobby[], ways: Ways): readonly Lobby[] {
  const alike = Map.groupBy(lobbies, ({ lobbyType, entryFee, tokenMint }) =>
    [lobbyType, entryFee, tokenMint].join(' '),
  );
  const distance = (lobby: Lobby) => Math.round((wayTo(lobby, ways) ?? Number.MAX_SAFE_INTEGER) / EQUAL_MS);
  const queues = new Map(
    [...alike].map(([key, group]) => [key, group.toSorted((a, b) => distance(a) - distance(b))]),
  );
  const keyOf = new Map([...alike].flatMap(([key, group]) => group.map((lobby) => [lobby, key])));
  return lobbies.map((lobby) => queues.get(keyOf.get(lobby)!)!.shift()!);
}
