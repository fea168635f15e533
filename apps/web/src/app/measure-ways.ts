import { roomEndpoint } from '@engulf/protocol/room/room-endpoint';
import { useEffect } from 'react';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { MEASURE_EVERY_MS, measureWays } from '../shared/ways.ts';

/** A page that has just loaded has more urgent things to fetch. */
const FIRST_AFTER_MS = 1_500;

/** Keeps the ways to the regions known while the menu is open. */
export function useMeasuredWays(gameUrl: string | null): void {
  const regions = useLobbyStore(({ lobbies }) =>
    [...new Set(lobbies?.map(({ region, baseGame }) => region ?? baseGame))].join('\n'),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: again when there is another region.
  useEffect(() => {
    const measure = () => {
      const { lobbies = [] } = useLobbyStore.getState();
      const running = lobbies.filter(({ isActive }) => isActive);
      if (!document.hidden)
        void measureWays(running, (lobby) => roomEndpoint(lobby, gameUrl, window.location.origin));
    };
    const first = setTimeout(measure, FIRST_AFTER_MS);
    const timer = setInterval(measure, MEASURE_EVERY_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [regions, gameUrl]);
}
