import type { Lobby } from '@engulf/protocol/lobby';
import { PAID_SPECTATOR_DELAY_SECONDS } from '@engulf/protocol/room/server-messages';
import { ArrowLeft, Clock, Eye, Play } from 'lucide-react';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { usePlaceText } from '../../../shared/place-text.ts';
import { Button } from '../../../ui/button.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './hud.module.css';
import { useHud } from './hud-store.ts';
import { HudPanel } from './panel.tsx';

type SpectatorBarProps = { lobby: Lobby; onBack: () => void; onPlay: () => void };

export function SpectatorBar({ lobby, onBack, onPlay }: SpectatorBarProps) {
  const where = usePlaceText(lobby);
  const following = useHud((hud) => hud.following);
  const { back, play, label, delayed, why } = ARENA_TEXT.spectator;
  return (
    <>
      <div className={styles.buttons}>
        <Button variant="bone" icon={<ArrowLeft />} onClick={onBack} className={styles.back}>
          {back}
        </Button>
        <Button variant="primary" icon={<Play />} onClick={onPlay} className={styles.back}>
          {play}
        </Button>
        <HudPanel className={styles.mode}>
          <Eye size={18} strokeWidth={2.25} />
          {label}
          {where && <small className={styles.where}>{where}</small>}
        </HudPanel>
        {!isFreeLobby(lobby) && (
          <span title={why}>
            <HudPanel className={styles.mode}>
              <Clock size={18} strokeWidth={2.25} />
              {delayed(PAID_SPECTATOR_DELAY_SECONDS)}
            </HudPanel>
          </span>
        )}
      </div>
      {following !== undefined && (
        <HudPanel className={styles.following}>{ARENA_TEXT.spectator.following(following)}</HudPanel>
      )}
    </>
  );
}
