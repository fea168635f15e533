import { describeFailure, failure } from '@engulf/domain/errors/registry';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import type { LeaderboardPeriod } from '@engulf/protocol/menu/leaderboard';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { useEffect, useState } from 'react';
import { AmbientGround } from '../art/ambient-ground.tsx';
import { ChatPanel } from '../features/chat/chat-panel.tsx';
import { LeaderboardPanel } from '../features/leaderboard/leaderboard-panel.tsx';
import { LobbyPanel } from '../features/lobbies/lobby-panel.tsx';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { VisitorCard } from '../features/profile/visitor-card.tsx';
import { StatsFeedPanel } from '../features/stats-feed/stats-feed-panel.tsx';
import { disconnectWallet } from '../features/wallet/wallet-connection.ts';
import { useUserCache } from '../shared/api/queries.ts';
import { PanelBoundary } from '../ui/panel.tsx';
import { showToast } from '../ui/toast.tsx';
import { Footer, TopBar } from './bars.tsx';
import { useLobbyChoice } from './lobby-choice.ts';
import { type Dialog, MenuDialogs } from './menu-dialogs.tsx';
import styles from './menu-view.module.css';
import { useGamesTabReset } from './view.ts';

type MenuViewProps = {
  config: PublicConfig;
  user: User | null;
  reopenEntryOf: string | undefined;
  opensGames: boolean;
  onRequestLeaderboard: (period: LeaderboardPeriod['event']) => void;
  onSendChat: (text: string) => void;
  onEntered: (lobby: Lobby, joinTicket: string) => void;
  onSpectate: (lobby: Lobby) => void;
  onConflict: (conflict: SessionConflict) => void;
};

const REOPEN_ENTRY_AFTER_MS = 100;

export function MenuView(props: MenuViewProps) {
  const { config, user, reopenEntryOf, opensGames, onRequestLeaderboard, onSendChat } = props;
  const { onEntered, onSpectate, onConflict } = props;
  const [dialog, setDialog] = useState<Dialog>();
  const cache = useUserCache();
  const { selected, select, judge } = useLobbyChoice(user);
  useGamesTabReset();

  useEffect(() => {
    if (reopenEntryOf === undefined) return;
    const timer = setTimeout(
      () => setDialog({ kind: 'entry', lobbyId: reopenEntryOf }),
      REOPEN_ENTRY_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [reopenEntryOf]);

  const connect = () => setDialog({ kind: 'wallet' });
  const enter = (lobby: Lobby) => {
    select(lobby);
    const request = judge(lobby);
    if (request.kind === 'connect') connect();
    if (request.kind === 'confirm') setDialog({ kind: 'entry', lobbyId: lobby.id });
    if (request.kind === 'refused') {
      showToast('danger', describeFailure(request.failure));
      if (request.asksForCode) setDialog({ kind: 'accessCode' });
    }
  };
  const joinSelected = () => {
    if (selected) enter(selected);
    else showToast('danger', describeFailure(failure('NO_LOBBIES_FOUND')));
  };
  const spectate = (lobby: Lobby) => {
    if (user) onSpectate(lobby);
    else showToast('danger', describeFailure(failure('SPECTATE_NEEDS_WALLET')));
  };
  const disconnect = async () => {
    await disconnectWallet();
    cache.set(null);
    cache.dropPrivate();
  };

  return (
    <>
      <AmbientGround />
      <div className={styles.shell}>
        <TopBar user={user} onConnect={connect} onDisconnect={() => void disconnect()} />
        <main className={styles.main}>
          <PanelBoundary>
            <LeaderboardPanel user={user} onRequest={onRequestLeaderboard} />
          </PanelBoundary>
          <div className={styles.middle}>
            <PanelBoundary>
              {user ? (
                <ProfileCard
                  user={user}
                  onChanged={cache.patch}
                  onJoinLobby={joinSelected}
                  onEnterCode={() => setDialog({ kind: 'accessCode' })}
                  onLimits={() => setDialog({ kind: 'limits' })}
                />
              ) : (
                <VisitorCard onConnect={connect} />
              )}
            </PanelBoundary>
            <PanelBoundary>
              <LobbyPanel
                prices={config.prices}
                isSignedIn={user !== null}
                selectedId={user ? selected?.id : undefined}
                onSelect={select}
                onEnter={enter}
                onSpectate={spectate}
              />
            </PanelBoundary>
            <PanelBoundary>
              <StatsFeedPanel
                config={config}
                isSignedIn={user !== null}
                onConnect={connect}
                initialTab={opensGames ? 'games' : undefined}
              />
            </PanelBoundary>
          </div>
          <PanelBoundary>
            <ChatPanel user={user} onSend={onSendChat} onConnect={connect} />
          </PanelBoundary>
        </main>
        <Footer />
      </div>
      <MenuDialogs
        dialog={dialog}
        config={config}
        user={user}
        onDialog={setDialog}
        onEntered={onEntered}
        onConflict={onConflict}
      />
    </>
  );
}
