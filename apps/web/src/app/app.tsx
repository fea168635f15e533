import type { PublicConfig } from '@engulf/protocol/http/config';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useReducer, useState } from 'react';
import { SessionConflictPopup } from '../features/entry/session-conflict-popup.tsx';
import { useWalletRestore } from '../features/wallet/wallet-connection.ts';
import { useUser, useUserCache } from '../shared/api/queries.ts';
import { storage } from '../shared/storage.ts';
import { TEXT } from '../shared/text.ts';
import { Toaster } from '../ui/toast.tsx';
import { ArenaMount } from './arena-mount.tsx';
import { Gate, LoadingScreen } from './full-page.tsx';
import { useMenuSocket } from './menu-socket.ts';
import { MenuView } from './menu-view.tsx';
import { askGamesTab, isGamesTabAsked, nextView, type View } from './view.ts';

export function App() {
  const [queryClient] = useState(
    () => new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <Gate>{(config) => <Session config={config} />}</Gate>
    </QueryClientProvider>
  );
}

/** One visit: who is here, and whether they are in the menu or in an arena. */
export function Session({ config }: { config: PublicConfig }) {
  const user = useUser();
  const [view, dispatch] = useReducer(
    nextView,
    undefined,
    (): View => ({
      name: 'menu',
      opensGames: isGamesTabAsked(),
    }),
  );
  const cache = useUserCache();
  const [conflict, setConflict] = useState<SessionConflict>();
  useWalletRestore(config, user);
  const { askLeaderboard } = useMenuSocket(user, {
    onConflict: setConflict,
    onKicked: () => dispatch({ type: 'exited', toGames: false }),
  });

  /** A game changes rank, statistics and payouts. */
  const leaveGame = () => {
    storage.remove('joinTicket', 'lobbyId');
    void cache.refresh();
  };
  const exit = (tab?: 'games') => {
    leaveGame();
    if (tab) askGamesTab();
    dispatch({ type: 'exited', toGames: tab !== undefined });
  };

  return (
    <>
      {view.name === 'playing' && user ? (
        <ArenaMount
          key={`${view.session.type}:${view.session.lobby.id}`}
          session={view.session}
          user={user}
          onExit={exit}
          onPlayAgain={() => {
            leaveGame();
            dispatch({ type: 'playAgain' });
          }}
          onSpectate={() => dispatch({ type: 'spectated', lobby: view.session.lobby })}
        />
      ) : user === undefined ? (
        <LoadingScreen label={TEXT.blockers.loading} />
      ) : (
        <MenuView
          config={config}
          user={user}
          reopenEntryOf={view.name === 'menu' ? view.reopenEntryOf : undefined}
          opensGames={view.name === 'menu' && view.opensGames === true}
          onAskLeaderboard={askLeaderboard}
          onEntered={(lobby, ticket) => dispatch({ type: 'entered', lobby, ...ticket })}
          onSpectate={(lobby) => dispatch({ type: 'spectated', lobby })}
          onConflict={setConflict}
        />
      )}
      {conflict && <SessionConflictPopup conflict={conflict} onClose={() => setConflict(undefined)} />}
      <Toaster place={view.name === 'playing' ? 'game' : 'menu'} />
    </>
  );
}
