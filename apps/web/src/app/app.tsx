import type { PublicConfig } from '@engulf/protocol/http/config';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { SessionConflictPopup } from '../features/entry/session-conflict-popup.tsx';
import { useWalletRestore } from '../features/wallet/wallet-connection.ts';
import { useUser, useUserCache } from '../shared/api/queries.ts';
import { entryRecord } from '../shared/entry-record.ts';
import { TEXT } from '../shared/text.ts';
import { dismissToasts, Toaster } from '../ui/toast.tsx';
import { ArenaMount } from './arena-mount.tsx';
import { LoadingScreen } from './full-page.tsx';
import { type Doors, Gate, NarrowNotice } from './gate.tsx';
import { useMenuSocket } from './menu-socket.ts';
import { MenuView } from './menu-view.tsx';
import { isGamesTabRequested, nextView, requestGamesTab, type View } from './view.ts';

export function App() {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <Gate>{(config, doors) => <Pages config={config} doors={doors} />}</Gate>
    </QueryClientProvider>
  );
}

/** Switches between the menu and an arena. */
function Pages({ config, doors }: { config: PublicConfig; doors: Doors }) {
  const user = useUser();
  const [view, dispatch] = useReducer(
    nextView,
    undefined,
    (): View => ({
      name: 'menu',
      opensGames: isGamesTabRequested(),
    }),
  );
  const cache = useUserCache();
  const [conflict, setConflict] = useState<SessionConflict>();
  useWalletRestore(config, user);
  const { requestLeaderboard } = useMenuSocket(user, {
    onConflict: setConflict,
    onKicked: () => dispatch({ type: 'exited', toGames: false }),
  });

  const isPlaying = view.name === 'playing';
  useEffect(() => {
    if (isPlaying) dismissToasts();
  }, [isPlaying]);

  const leaveGame = () => {
    entryRecord.remove('joinTicket', 'lobbyId');
    // The game changed the user's rank.
    void cache.refresh();
  };
  const exit = (tab?: 'games') => {
    leaveGame();
    if (tab) requestGamesTab();
    dispatch({ type: 'exited', toGames: tab !== undefined });
  };

  return (
    <>
      {view.name === 'playing' && user ? (
        <ArenaMount
          key={`${view.visit.type}:${view.visit.lobby.id}`}
          visit={view.visit}
          user={user}
          onExit={exit}
          onPlayAgain={() => {
            leaveGame();
            dispatch({ type: 'playAgain' });
          }}
          onSpectate={() => dispatch({ type: 'spectated', lobby: view.visit.lobby })}
        />
      ) : doors.blocker ? (
        doors.blocker
      ) : user === undefined ? (
        <LoadingScreen label={TEXT.blockers.loading} />
      ) : (
        <MenuView
          config={config}
          user={user}
          isMaintenanceAnnounced={doors.isMaintenanceAnnounced}
          reopenEntryOf={view.name === 'menu' ? view.reopenEntryOf : undefined}
          opensGames={view.name === 'menu' && view.opensGames === true}
          onRequestLeaderboard={requestLeaderboard}
          onEntered={(lobby, joinTicket) => dispatch({ type: 'entered', lobby, joinTicket })}
          onSpectate={(lobby) => dispatch({ type: 'spectated', lobby })}
          onConflict={setConflict}
        />
      )}
      {isPlaying && doors.isTooNarrow && <NarrowNotice />}
      {conflict && <SessionConflictPopup conflict={conflict} onClose={() => setConflict(undefined)} />}
      <Toaster place={isPlaying ? 'game' : 'menu'} />
    </>
  );
}
