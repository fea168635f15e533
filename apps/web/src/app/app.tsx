import { describeFailure, failure } from '@engulf/domain/errors/registry';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { enterAgain } from '../features/entry/enter-again.ts';
import { SessionConflictPopup } from '../features/entry/session-conflict-popup.tsx';
import { entryDeps } from '../features/entry/use-entry.ts';
import { FairPlayNotices } from '../features/fairness/fair-play-notices.tsx';
import { GatheringCard } from '../features/gathering/gathering-card.tsx';
import { useWalletRestore } from '../features/wallet/wallet-connection.ts';
import { useUser, useUserCache } from '../shared/api/queries.ts';
import { entryRecord, readOpenPayment, SEAT_ITEMS } from '../shared/entry-record.ts';
import { serverNowMs } from '../shared/server-clock.ts';
import { forgetLeftMatch, noteLeftMatch } from '../shared/stores/left-match.ts';
import { TEXT } from '../shared/text.ts';
import { dismissToasts, showToast, Toaster } from '../ui/toast.tsx';
import { ArenaMount } from './arena-mount.tsx';
import { LoadingScreen } from './full-page.tsx';
import { type Doors, Gate, NarrowNotice } from './gate.tsx';
import { useMenuSocket } from './menu-socket.ts';
import { MenuView } from './menu-view.tsx';
import { useReturnToMatch } from './return-to-match.ts';
import {
  entered,
  isGamesTabRequested,
  leftGameOf,
  nextView,
  requestGamesTab,
  spectated,
  type View,
} from './view.ts';

const KICK_GRACE_MS = 2_000;

export function App() {
  const [queryClient] = useState(
    () =>
      new QueryClient({
        queryCache: new QueryCache({
          onError: (error, { queryKey }) => console.warn('could not load', ...queryKey, error),
        }),
        defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } },
      }),
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
  const isEnteringAgain = useRef(false);
  const [conflict, setConflict] = useState<SessionConflict>();
  const [openPayment, setOpenPayment] = useState(() => readOpenPayment(entryRecord));
  useWalletRestore(config, user);
  const latestView = useRef(view);
  latestView.current = view;
  const endKicked = () => {
    const end = () => {
      if (latestView.current !== view) return;
      entryRecord.remove(...SEAT_ITEMS);
      showToast('danger', describeFailure(failure('SESSION_ENDED')));
      dispatch({ type: 'exited', toGames: false });
    };
    // Usually the room says why a match ends; the page leaves either way.
    if (view.name === 'playing') setTimeout(end, KICK_GRACE_MS);
    else end();
  };
  const { requestLeaderboard, sendChat } = useMenuSocket(user, {
    onConflict: (warning) => {
      // A window that plays, pays or is about to return to its match is told of that, too.
      const isOwn = warning.sessionId === entryRecord.read('sessionId');
      const isWanted = view.name === 'menu' || doors.isSessionOverlayOn;
      if (isWanted && !isOwn) setConflict(warning);
    },
    onKicked: endKicked,
  });

  const { isReturning, returnToMatch } = useReturnToMatch(user, (lobby, joinTicket) => {
    setConflict(undefined);
    dispatch(entered(lobby, joinTicket, true));
  });
  const isPlaying = view.name === 'playing';
  useEffect(() => {
    if (!isPlaying) return;
    dismissToasts();
    forgetLeftMatch();
  }, [isPlaying]);

  const leaveGame = () => {
    entryRecord.remove(...SEAT_ITEMS);
    // The game changed the user's rank.
    void cache.refresh();
  };
  const exit = (tab?: 'games') => {
    const leftGame = tab && leftGameOf(view, entryRecord.read('sessionId'), serverNowMs());
    if (tab && view.name === 'playing' && view.visit.type === 'player') noteLeftMatch();
    leaveGame();
    if (tab) requestGamesTab();
    dispatch({ type: 'exited', toGames: tab !== undefined, leftGame });
  };

  const playAgain = async (lobby: Lobby, player: User) => {
    if (isEnteringAgain.current) return;
    isEnteringAgain.current = true;
    leaveGame();
    const joinTicket = await enterAgain(lobby, entryDeps(player, config));
    isEnteringAgain.current = false;
    // A player who has gone back to the menu in the meantime stays there.
    if (latestView.current !== view) return;
    dispatch(joinTicket === undefined ? { type: 'playAgain' } : entered(lobby, joinTicket));
  };

  return (
    <>
      {view.name === 'playing' && user ? (
        <ArenaMount
          key={view.visit.type === 'player' ? view.visit.joinTicket : view.visit.lobby.id}
          visit={view.visit}
          user={user}
          gameUrl={config.gameUrl}
          tabHiddenTimeoutMs={config.tabHiddenTimeoutMs}
          virusDepthMass={config.virusDepthMass}
          onExit={exit}
          onPlayAgain={() => void playAgain(view.visit.lobby, user)}
          onSpectate={() => {
            leaveGame();
            dispatch(spectated(view.visit.lobby));
          }}
        />
      ) : doors.blocker ? (
        doors.blocker
      ) : user === undefined || isReturning ? (
        <LoadingScreen label={isReturning ? TEXT.blockers.returning : TEXT.blockers.loading} />
      ) : (
        <MenuView
          config={config}
          user={user}
          notice={doors.notice}
          isChatOpen={doors.isChatOpen}
          reopenEntryOf={view.name === 'menu' ? view.reopenEntryOf : undefined}
          openPayment={openPayment}
          onPaymentOpened={() => setOpenPayment(undefined)}
          opensGames={view.name === 'menu' && view.opensGames === true}
          leftGame={view.name === 'menu' ? view.leftGame : undefined}
          returnedFromGame={view.name === 'menu' && view.returnedFromGame === true}
          onRequestLeaderboard={requestLeaderboard}
          onSendChat={sendChat}
          onEntered={(lobby, joinTicket) => dispatch(entered(lobby, joinTicket))}
          onSpectate={(lobby) => dispatch(spectated(lobby))}
          onConflict={setConflict}
        />
      )}
      {view.name === 'menu' && user && <FairPlayNotices key={user.id} />}
      {view.name === 'playing' && (
        <GatheringCard
          place="game"
          onPay={({ id }) => {
            leaveGame();
            dispatch({ type: 'called', lobbyId: id });
          }}
        />
      )}
      {conflict && (
        <SessionConflictPopup
          conflict={conflict}
          isOverMatch={isPlaying}
          onClose={() => setConflict(undefined)}
          onReturn={() => void returnToMatch({ isAsked: true })}
          onResume={(payment) => {
            setConflict(undefined);
            setOpenPayment(payment);
          }}
        />
      )}
      {isPlaying && doors.isTooNarrow && <NarrowNotice />}
      <Toaster place={isPlaying ? 'game' : 'menu'} />
    </>
  );
}
