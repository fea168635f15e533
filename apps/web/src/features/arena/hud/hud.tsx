import { parseSeats } from '@engulf/domain/lobby/lobby-type';
import { ArrowLeft, Eye, House } from 'lucide-react';
import { type CSSProperties, useEffect, useState, useSyncExternalStore } from 'react';
import type { ArenaViewProps } from '../../../shared/arena-session.ts';
import { fitScale } from '../../../shared/layout-scale.ts';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import styles from '../arena-view.module.css';
import { listenToKeys } from '../input/keyboard.ts';
import { lobbyUnit } from '../lobby-unit.ts';
import { ForfeitPopup } from '../popups/forfeit-popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import { ConnectionChip } from './connection-chip.tsx';
import { DebugPanel } from './debug-panel.tsx';
import { KeyHints } from './key-hints.tsx';
import { KillBanner } from './kill-banner.tsx';
import { Leaderboard } from './leaderboard.tsx';
import { LiveFeed } from './live-feed.tsx';
import { Minimap, PortalList } from './minimap.tsx';
import { HudPanel } from './panel.tsx';
import { TopFigures } from './top-figures.tsx';

type HudProps = ArenaViewProps & { isDebugging: boolean; onDebug: () => void };

/** The panels around the arena. The middle stays clear. */
export function Hud({ session, user, isDebugging, onDebug, onExit }: HudProps) {
  const [hidden, setHidden] = useState({ leaderboard: false, map: false });
  const scale = useHudScale();
  const { lobby } = session;
  const isSpectator = session.type === 'spectator';
  const unit = lobbyUnit(lobby);

  useEffect(
    () =>
      listenToKeys(
        {
          KeyL: { press: () => setHidden((was) => ({ ...was, leaderboard: !was.leaderboard })) },
          KeyM: { press: () => setHidden((was) => ({ ...was, map: !was.map })) },
          F3: { press: onDebug },
        },
        () => true,
      ),
    [onDebug],
  );

  const place = (where: string | undefined) => classNames(styles.place, where);
  return (
    <div style={{ '--hud-scale': scale } as CSSProperties}>
      <div className={place(styles.topLeft)}>
        {isSpectator ? <SpectatorBar onBack={() => onExit()} /> : <HomeButton {...{ lobby, onExit }} />}
        <ConnectionChip />
        <LiveFeed />
      </div>
      <div className={place(styles.topCentre)}>
        <TopFigures unit={unit} />
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
        <KeyHints isSpectator={isSpectator} />
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

function HomeButton({ lobby, onExit }: Pick<HudProps, 'onExit'> & { lobby: HudProps['session']['lobby'] }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.buttons}>
      <IconButton
        size="sm"
        className={styles.button}
        label={ARENA_TEXT.returnHome}
        icon={<House />}
        onClick={(event) => {
          // Space splits; a button that keeps the focus would be pressed by it instead.
          event.currentTarget.blur();
          setAsking(true);
        }}
      />
      <ForfeitPopup
        isOpen={isAsking}
        isPaid={!isFreeLobby(lobby)}
        onCancel={() => setAsking(false)}
        onConfirm={() => onExit('games')}
      />
    </div>
  );
}

/** Drawn for the reference screen; smaller windows get it smaller, larger ones not larger. */
function useHudScale(): number {
  return useSyncExternalStore(subscribeToSize, () =>
    Math.min(1, fitScale({ widthPx: window.innerWidth, heightPx: window.innerHeight }) * 1.18),
  );
}

function subscribeToSize(notify: () => void): () => void {
  window.addEventListener('resize', notify);
  return () => window.removeEventListener('resize', notify);
}
