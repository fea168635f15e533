import { parseSeats } from '@engulf/domain/lobby/lobby-type';
import { ArrowLeft, Eye, House, Settings, Volume2, VolumeX } from 'lucide-react';
import { type CSSProperties, type MouseEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { hudScale } from '../../../shared/layout-scale.ts';
import { isFreeLobby, lobbyUnit } from '../../../shared/lobby-money.ts';
import { settings, useSetting } from '../../../shared/settings.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Slider } from '../../../ui/slider.tsx';
import type { ArenaViewProps } from '../arena-visit.ts';
import { ACTIONS } from '../input/actions.ts';
import { listenToKeys } from '../input/keyboard.ts';
import { VOLUME } from '../settings/settings-dialog.tsx';
import { ARENA_TEXT } from '../text.ts';
import { type ArenaDialog, ArenaMenu, toggleFullscreen } from './arena-menu.tsx';
import styles from './hud.module.css';
import { KillBanner } from './kill-banner.tsx';
import { Leaderboard } from './leaderboard.tsx';
import { LiveFeed } from './live-feed.tsx';
import { Minimap, PortalList } from './minimap.tsx';
import { HudPanel } from './panel.tsx';
import { ConnectionChip, DebugPanel, KeyHints, MassFigure } from './status-panels.tsx';
import { TopFigures } from './top-figures.tsx';

type HudProps = ArenaViewProps & { isDebugging: boolean; onDebug: () => void };

/** The panels around the arena; the middle stays clear. */
export function Hud({ visit, user, isDebugging, onDebug, onExit }: HudProps) {
  const [hidden, setHidden] = useState({ leaderboard: false, map: false });
  const [dialog, setDialog] = useState<ArenaDialog>();
  const scale = useHudScale();
  const { lobby } = visit;
  const isSpectator = visit.type === 'spectator';
  const unit = lobbyUnit(lobby);

  useEffect(
    () =>
      listenToKeys(visit.type, {
        leaderboard: () => setHidden((was) => ({ ...was, leaderboard: !was.leaderboard })),
        map: () => setHidden((was) => ({ ...was, map: !was.map })),
        debug: onDebug,
        menu: () => setDialog('menu'),
        settings: () => setDialog('settings'),
        mute: () => settings.write('isMuted', !settings.read('isMuted')),
        fullscreen: toggleFullscreen,
      }),
    [visit.type, onDebug],
  );

  const place = (where: string | undefined) => classNames(styles.place, where);
  return (
    <div style={{ '--hud-scale': scale } as CSSProperties}>
      <div className={place(styles.topLeft)}>
        {isSpectator && <SpectatorBar onBack={() => onExit()} />}
        <QuickButtons
          onHome={isSpectator ? undefined : () => setDialog('forfeit')}
          onSettings={() => setDialog('settings')}
        />
        <ConnectionChip />
        <LiveFeed unit={unit} />
      </div>
      <div className={place(styles.topCentre)}>
        <TopFigures unit={unit} isPlayMoney={isFreeLobby(lobby)} />
      </div>
      <div className={place(styles.topRight)}>
        {!hidden.leaderboard && (
          <Leaderboard
            unit={unit}
            maxPlayers={parseSeats(lobby.players).max}
            ownName={isSpectator ? undefined : user.name}
          />
        )}
      </div>
      <div className={place(styles.bottomRight)}>
        <PortalList />
        {!hidden.map && <Minimap />}
      </div>
      <div className={place(styles.bottomCentre)}>
        {!isSpectator && <MassFigure />}
        <KeyHints role={visit.type} />
      </div>
      {isDebugging && (
        <div className={place(styles.bottomLeft)}>
          <DebugPanel />
        </div>
      )}
      {!isSpectator && (
        <div className={place(styles.kill)}>
          <KillBanner own={user} unit={unit} />
        </div>
      )}
      <ArenaMenu
        role={visit.type}
        isPaid={!isFreeLobby(lobby)}
        open={dialog}
        onOpen={setDialog}
        onLeave={() => (isSpectator ? onExit() : onExit('games'))}
      />
    </div>
  );
}

function SpectatorBar({ onBack }: { onBack: () => void }) {
  return (
    <div className={styles.buttons}>
      <Button variant="bone" icon={<ArrowLeft />} onClick={onBack} className={styles.back}>
        {ARENA_TEXT.spectator.back}
      </Button>
      <HudPanel className={styles.mode}>
        <Eye size={18} strokeWidth={2.25} />
        {ARENA_TEXT.spectator.label}
      </HudPanel>
    </div>
  );
}

type QuickButtonsProps = { onHome?: (() => void) | undefined; onSettings: () => void };

function QuickButtons({ onHome, onSettings }: QuickButtonsProps) {
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

/** Space splits; a focused button would be pressed instead. */
function releaseFocus(event: MouseEvent<HTMLElement>): void {
  if (event.target instanceof Element) event.target.closest('button')?.blur();
}

/** Follows the window, times what the player wants. */
function useHudScale(): number {
  const [uiScale] = useSetting('uiScale');
  const scale = useSyncExternalStore(subscribeToSize, () =>
    hudScale({ widthPx: window.innerWidth, heightPx: window.innerHeight }),
  );
  return scale * uiScale;
}

function subscribeToSize(notify: () => void): () => void {
  window.addEventListener('resize', notify);
  return () => window.removeEventListener('resize', notify);
}
