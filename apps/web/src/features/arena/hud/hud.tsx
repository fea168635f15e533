import { parseSeats } from '@engulf/domain/lobby/lobby-type';
import { ArrowLeft, Eye, House } from 'lucide-react';
import { type CSSProperties, useEffect, useState, useSyncExternalStore } from 'react';
import { fitScale } from '../../../shared/layout-scale.ts';
import { isFreeLobby, lobbyUnit } from '../../../shared/lobby-money.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import type { ArenaViewProps } from '../arena-visit.ts';
import { listenToKeys } from '../input/keyboard.ts';
import { ForfeitPopup } from '../popups/refund-popups.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './hud.module.css';
import { KillBanner } from './kill-banner.tsx';
import { Leaderboard } from './leaderboard.tsx';
import { LiveFeed } from './live-feed.tsx';
import { Minimap, PortalList } from './minimap.tsx';
import { HudPanel } from './panel.tsx';
import { ConnectionChip, DebugPanel, KeyHints } from './status-panels.tsx';
import { TopFigures } from './top-figures.tsx';

type HudProps = ArenaViewProps & { isDebugging: boolean; onDebug: () => void };

/** The panels around the arena; the middle stays clear. */
export function Hud({ visit, user, isDebugging, onDebug, onExit }: HudProps) {
  const [hidden, setHidden] = useState({ leaderboard: false, map: false });
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
      }),
    [visit.type, onDebug],
  );

  const place = (where: string | undefined) => classNames(styles.place, where);
  return (
    <div style={{ '--hud-scale': scale } as CSSProperties}>
      <div className={place(styles.topLeft)}>
        {isSpectator ? <SpectatorBar onBack={() => onExit()} /> : <HomeButton {...{ lobby, onExit }} />}
        <ConnectionChip />
        <LiveFeed unit={unit} />
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

function HomeButton({ lobby, onExit }: Pick<HudProps, 'onExit'> & { lobby: HudProps['visit']['lobby'] }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <div className={styles.buttons}>
      <IconButton
        size="sm"
        className={styles.button}
        label={ARENA_TEXT.returnHome}
        icon={<House />}
        onClick={(event) => {
          // Space splits; a focused button would be pressed instead.
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

/** Shrinks the HUD in windows smaller than the reference screen; never enlarges it. */
function useHudScale(): number {
  return useSyncExternalStore(subscribeToSize, () =>
    Math.min(1, fitScale({ widthPx: window.innerWidth, heightPx: window.innerHeight }) * 1.18),
  );
}

function subscribeToSize(notify: () => void): () => void {
  window.addEventListener('resize', notify);
  return () => window.removeEventListener('resize', notify);
}
