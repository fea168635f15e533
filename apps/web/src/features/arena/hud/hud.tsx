import { parseSeats } from '@engulf/domain/lobby/lobby-type';
import { House, MessageCircle, Settings, Volume2, VolumeX } from 'lucide-react';
import {
  type CSSProperties,
  type MouseEvent,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { flushSync } from 'react-dom';
import { ownHudScale } from '../../../shared/layout-scale.ts';
import { isFreeLobby, lobbyUnit } from '../../../shared/lobby-money.ts';
import { settings, useSetting } from '../../../shared/settings.ts';
import { IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Slider } from '../../../ui/slider.tsx';
import type { ArenaViewProps } from '../arena-visit.ts';
import type { DraftHandle } from '../chat/chat-draft.tsx';
import type { ChatStore } from '../chat/chat-store.ts';
import { ChatWindow } from '../chat/chat-window.tsx';
import { ACTIONS } from '../input/actions.ts';
import { keepFocusInArena, listenToKeys } from '../input/keyboard.ts';
import type { ArenaEvents } from '../net/events.ts';
import type { GameRoom } from '../net/game-room.ts';
import { VOLUME } from '../settings/settings-dialog.tsx';
import { ARENA_TEXT } from '../text.ts';
import { type ArenaDialog, ArenaMenu, toggleFullscreen } from './arena-menu.tsx';
import { CheerLine } from './cheer-line.tsx';
import { FirstLifeGuide } from './first-life-guide.tsx';
import styles from './hud.module.css';
import { KillBanner } from './kill-banner.tsx';
import { Leaderboard, PlayerCount } from './leaderboard.tsx';
import { LiveFeed } from './live-feed.tsx';
import { Minimap, PortalList, TideNotice } from './minimap.tsx';
import { HudPanel } from './panel.tsx';
import { SpectatorBar } from './spectator-bar.tsx';
import { ConnectionChip, DebugPanel, KeyHints, MassFigure } from './status-panels.tsx';
import { TopFigures } from './top-figures.tsx';

type HudProps = ArenaViewProps & {
  events: ArenaEvents;
  chat: ChatStore;
  send: GameRoom['send'];
  isDebugging: boolean;
  onDebug: () => void;
};

/** The panels around the arena; the middle stays clear. */
export function Hud(props: HudProps) {
  const { visit, user, events, chat, send, isDebugging, onDebug, onExit, onPlayAgain } = props;
  const [hidden, setHidden] = useState({ leaderboard: false, map: false });
  const [dialog, setDialog] = useState<ArenaDialog>();
  const [uiScale] = useSetting('uiScale');
  const scale = useHudScale(uiScale);
  const draft = useRef<DraftHandle>(null);
  const { lobby } = visit;
  const isSpectator = visit.type === 'spectator';
  const unit = lobbyUnit(lobby);

  useEffect(
    () =>
      listenToKeys(visit.type, {
        leaderboard: () => setHidden((was) => ({ ...was, leaderboard: !was.leaderboard })),
        map: () => setHidden((was) => ({ ...was, map: !was.map })),
        chat: () => toggleChat(draft),
        write: () => openChat(draft),
        debug: onDebug,
        menu: () => setDialog('menu'),
        settings: () => setDialog('settings'),
        mute: () => settings.write('isMuted', !settings.read('isMuted')),
        fullscreen: toggleFullscreen,
      }),
    [visit.type, onDebug],
  );

  useEffect(() => (visit.type === 'player' ? keepFocusInArena() : undefined), [visit.type]);

  const place = (where: string | undefined) => classNames(styles.place, where);
  return (
    <div style={hudStyle(scale, uiScale)}>
      <div className={place(styles.topLeft)}>
        {isSpectator && <SpectatorBar lobby={lobby} onBack={() => onExit()} onPlay={onPlayAgain} />}
        <QuickButtons
          onHome={isSpectator ? undefined : () => setDialog('forfeit')}
          onChat={() => settings.write('isChatOpen', !settings.read('isChatOpen'))}
          onSettings={() => setDialog('settings')}
        />
        <ConnectionChip />
        <LiveFeed unit={unit} />
      </div>
      <div className={place(styles.topCentre)}>
        <TopFigures unit={unit} isPlayMoney={isFreeLobby(lobby)} />
        {!isSpectator && <CheerLine events={events} />}
      </div>
      <div className={place(styles.topRight)}>
        <PlayerCount maxPlayers={parseSeats(lobby.players).max} />
        {!hidden.leaderboard && (
          <Leaderboard
            unit={unit}
            isByMass={isFreeLobby(lobby)}
            ownName={isSpectator ? undefined : user.name}
            onFollow={isSpectator ? (name) => events.publish({ type: 'followRequested', name }) : undefined}
          />
        )}
      </div>
      <div className={place(styles.bottomRight)}>
        <TideNotice />
        <PortalList />
        {!hidden.map && (
          <Minimap
            onLook={
              isSpectator ? (left, top) => events.publish({ type: 'lookRequested', left, top }) : undefined
            }
          />
        )}
      </div>
      <div className={place(styles.bottomCentre)}>
        {!isSpectator && <FirstLifeGuide events={events} />}
        {!isSpectator && <MassFigure />}
        <KeyHints role={visit.type} />
      </div>
      <div className={place(styles.bottomLeft)}>
        <ChatWindow
          chat={chat}
          isPlayer={!isSpectator}
          isAdmin={user.isAdmin}
          draftRef={draft}
          onSend={send}
        />
        {isDebugging && <DebugPanel />}
      </div>
      {!isSpectator && (
        <div className={place(styles.kill)}>
          <KillBanner own={user} unit={unit} />
        </div>
      )}
      <ArenaMenu
        role={visit.type}
        lobby={lobby}
        own={user}
        open={dialog}
        onOpen={setDialog}
        onLeave={() => (isSpectator ? onExit() : onExit('games'))}
      />
    </div>
  );
}

type QuickButtonsProps = { onHome?: (() => void) | undefined; onChat: () => void; onSettings: () => void };

function QuickButtons({ onHome, onChat, onSettings }: QuickButtonsProps) {
  const [volume, setVolume] = useSetting('audioVolume');
  const [isMuted, setMuted] = useSetting('isMuted');
  return (
    <div className={styles.buttons} onClickCapture={releaseFocus}>
      {onHome && (
        <IconButton
          size="sm"
          className={styles.button}
          label={ARENA_TEXT.returnHome}
          icon={<House />}
          onClick={onHome}
        />
      )}
      <IconButton
        size="sm"
        className={styles.button}
        label={ACTIONS.chat.label}
        icon={<MessageCircle />}
        onClick={onChat}
      />
      <IconButton
        size="sm"
        className={styles.button}
        label={ACTIONS.settings.label}
        icon={<Settings />}
        onClick={onSettings}
      />
      <HudPanel className={styles.volume}>
        <IconButton
          size="sm"
          label={isMuted ? ARENA_TEXT.settings.unmute : ARENA_TEXT.settings.mute}
          icon={isMuted || volume === 0 ? <VolumeX /> : <Volume2 />}
          onClick={() => setMuted(!isMuted)}
        />
        <Slider label={ARENA_TEXT.settings.volume} value={volume} {...VOLUME} onChange={setVolume} />
      </HudPanel>
    </div>
  );
}

type Draft = { readonly current: DraftHandle | null };

/** Opening the chat by key also focuses its field. */
function toggleChat(draft: Draft): void {
  if (settings.read('isChatOpen')) settings.write('isChatOpen', false);
  else openChat(draft);
}

function openChat(draft: Draft): void {
  flushSync(() => settings.write('isChatOpen', true));
  draft.current?.focus();
}

/** Space splits; a focused button would be pressed instead. */
function releaseFocus(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element) event.target.closest('button')?.blur();
}

/** Follows the window. */
function useHudScale(uiScale: number): number {
  return useSyncExternalStore(subscribeToSize, () =>
    ownHudScale({ widthPx: window.innerWidth, heightPx: window.innerHeight }, uiScale),
  );
}

/** The smallest text keeps its size in a small window; smaller panels by choice also have smaller text. */
function hudStyle(scale: number, uiScale: number): CSSProperties {
  return {
    '--hud-scale': scale,
    '--text-min': `${11 / Math.min(1, scale / Math.min(1, uiScale))}px`,
  } as CSSProperties;
}

function subscribeToSize(notify: () => void): () => void {
  window.addEventListener('resize', notify);
  return () => window.removeEventListener('resize', notify);
}
