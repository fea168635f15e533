import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { isEligible } from '@engulf/domain/ids/access-code';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import type { LeaderboardPeriod } from '@engulf/protocol/menu/leaderboard';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { type ReactNode, useEffect, useState } from 'react';
import { AmbientGround } from '../art/ambient-ground.tsx';
import { AccessGrantedPopup } from '../features/access/access-popups.tsx';
import { EarlyAccessPanel } from '../features/access/early-access-panel.tsx';
import { useRaffle } from '../features/access/use-raffle.ts';
import { useXReturn } from '../features/access/x-return.ts';
import { hearMenu } from '../features/arena/sound/hear-menu.ts';
import { ChatPanel } from '../features/chat/chat-panel.tsx';
import { GatheringCard } from '../features/gathering/gathering-card.tsx';
import { LeaderboardPanel } from '../features/leaderboard/leaderboard-panel.tsx';
import { LiveArena } from '../features/lobbies/live-arena.tsx';
import { LobbyPanel } from '../features/lobbies/lobby-panel.tsx';
import { ProfileCard } from '../features/profile/profile-card.tsx';
import { VisitorCard } from '../features/profile/visitor-card.tsx';
import type { LeftGame } from '../features/stats-feed/games-list.tsx';
import { LatestNews } from '../features/stats-feed/latest-news.tsx';
import { StatsFeedPanel } from '../features/stats-feed/stats-feed-panel.tsx';
import { disconnectWallet, isWalletKnown } from '../features/wallet/wallet-connection.ts';
import { useUserCache } from '../shared/api/queries.ts';
import type { OpenPayment } from '../shared/entry-record.ts';
import { useGatheringStore } from '../shared/stores/gathering-store.ts';
import { TEXT } from '../shared/text.ts';
import { PanelBoundary } from '../ui/panel.tsx';
import { showToast } from '../ui/toast.tsx';
import { Footer, NoticeBanner, TopBar } from './bars.tsx';
import { useEntryRequest } from './entry-request.ts';
import { useMeasuredWays } from './measure-ways.ts';
import { type Dialog, MenuDialogs } from './menu-dialogs.tsx';
import styles from './menu-view.module.css';
import { useGamesTabReset } from './view.ts';

type MenuViewProps = {
  config: PublicConfig;
  user: User | null;
  notice: ReactNode;
  isChatOpen: boolean;
  reopenEntryOf: string | undefined;
  /** A payment to continue: its entry popup opens by itself. */
  openPayment: OpenPayment | undefined;
  onPaymentOpened: () => void;
  opensGames: boolean;
  returnedFromGame: boolean;
  leftGame: LeftGame | undefined;
  onRequestLeaderboard: (period: LeaderboardPeriod['event']) => void;
  onSendChat: (text: string) => void;
  onEntered: (lobby: Lobby, joinTicket: string) => void;
  onSpectate: (lobby: Lobby) => void;
  onConflict: (conflict: SessionConflict) => void;
};

const REOPEN_ENTRY_AFTER_MS = 100;

export function MenuView(props: MenuViewProps) {
  const { config, user, reopenEntryOf, openPayment, onPaymentOpened } = props;
  const [dialog, setDialog] = useState<Dialog>();
  const cache = useUserCache();
  const { selected, select, request, codeFor, isWanting, cancel } = useEntryRequest(user, setDialog);
  const isXPending = useXReturn(user, cache.refresh);
  const raffle = useRaffle(user, cache.refresh);
  useGamesTabReset();
  useMeasuredWays(config.gameUrl);
  useEffect(hearMenu, []);

  useEffect(() => {
    if (reopenEntryOf === undefined) return;
    const timer = setTimeout(
      () => setDialog({ kind: 'entry', lobbyId: reopenEntryOf }),
      REOPEN_ENTRY_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [reopenEntryOf]);

  useEffect(() => {
    if (!openPayment) return;
    setDialog({ kind: 'entry', lobbyId: openPayment.lobbyId, openPayment });
    onPaymentOpened();
  }, [openPayment, onPaymentOpened]);

  const called = useGatheringStore(({ own }) => (own?.state === 'called' ? own.lobbyId : undefined));
  // Whoever is in the middle of something else has the card.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a call.
  useEffect(() => {
    if (called !== undefined && dialog === undefined) setDialog({ kind: 'entry', lobbyId: called });
  }, [called]);

  const connect = () => setDialog({ kind: 'wallet' });
  const spectate = (lobby: Lobby) => {
    if (user && isWalletKnown()) return props.onSpectate(lobby);
    showToast('info', describeFailure(failure('SPECTATE_NEEDS_WALLET')));
    connect();
  };
  const disconnect = async (isEverywhere = false) => {
    await disconnectWallet(isEverywhere);
    cache.set(null);
    cache.dropPrivate();
    if (isEverywhere) showToast('info', TEXT.profile.signedOutEverywhere);
  };
  const grant = () => {
    setDialog(isWanting ? undefined : { kind: 'accessGranted' });
    cache.patch({ referralCodeVerified: true });
    void cache.refresh();
  };
  const isGathering = useGatheringStore(({ own }) => own !== undefined);
  const needsAccess = !user || !isEligible(user);

  return (
    <>
      <AmbientGround />
      <div className={styles.shell} data-banner={props.notice !== undefined}>
        <TopBar
          user={user}
          onGuide={() => setDialog({ kind: 'guide' })}
          onSettings={() => setDialog({ kind: 'settings' })}
          onConnect={connect}
          onDisconnect={() => void disconnect()}
        />
        {props.notice !== undefined && <NoticeBanner>{props.notice}</NoticeBanner>}
        <main className={styles.main}>
          <PanelBoundary>
            <LeaderboardPanel user={user} onRequest={props.onRequestLeaderboard} />
          </PanelBoundary>
          <div
            className={styles.middle}
            data-early={needsAccess}
            data-gathering={isGathering}
            onScroll={({ currentTarget }) => {
              currentTarget.dataset.scrolled = String(currentTarget.scrollTop > 0);
            }}
          >
            <PanelBoundary>
              {user ? (
                <ProfileCard
                  user={user}
                  isNextStepFocused={props.returnedFromGame}
                  // Read first: after a rename the player keeps the old name's picture.
                  onChanged={(change) => void cache.refresh().finally(() => cache.patch(change))}
                  onJoinLobby={() => setDialog({ kind: 'lobbyList' })}
                  onEnterCode={() => setDialog({ kind: 'accessCode' })}
                  onLimits={() => setDialog({ kind: 'limits' })}
                />
              ) : (
                <VisitorCard onConnect={connect} backdrop={<LiveArena />} news={<LatestNews />} />
              )}
            </PanelBoundary>
            <GatheringCard place="menu" onPay={request} />
            {needsAccess && (
              <PanelBoundary>
                <EarlyAccessPanel user={user} raffle={raffle} isXPending={isXPending} onGranted={grant} />
              </PanelBoundary>
            )}
            <PanelBoundary>
              <LobbyPanel
                prices={config.prices}
                isSignedIn={user !== null}
                selectedId={user ? selected?.id : undefined}
                onSelect={select}
                onEnter={request}
                onSpectate={spectate}
              />
            </PanelBoundary>
            <PanelBoundary>
              <StatsFeedPanel
                config={config}
                isSignedIn={user !== null}
                onConnect={connect}
                onVerify={(matchId) => setDialog({ kind: 'verify', matchId })}
                initialTab={props.opensGames ? 'games' : undefined}
                leftGame={props.leftGame}
              />
            </PanelBoundary>
          </div>
          <PanelBoundary>
            <ChatPanel user={user} isOpen={props.isChatOpen} onSend={props.onSendChat} onConnect={connect} />
          </PanelBoundary>
        </main>
        <Footer />
      </div>
      <MenuDialogs
        dialog={dialog}
        config={config}
        user={user}
        selected={selected}
        codeFor={codeFor}
        onSignOutEverywhere={() => void disconnect(true)}
        onDialog={setDialog}
        onCancel={cancel}
        onGranted={grant}
        onSelect={select}
        onPlay={request}
        onEntered={props.onEntered}
        onConflict={props.onConflict}
      />
      {raffle.hasNews && dialog === undefined && (
        <AccessGrantedPopup by="raffle" onClose={() => void raffle.noteSeen()} />
      )}
    </>
  );
}
