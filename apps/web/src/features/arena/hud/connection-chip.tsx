import { TriangleAlert, WifiOff } from 'lucide-react';
import { ARENA_TEXT } from '../text.ts';
import styles from './connection-chip.module.css';
import { HudPanel } from './panel.tsx';
import { useHud } from './use-hud.ts';

/** Only there when there is something to worry about. */
export function ConnectionChip() {
  const connection = useHud((hud) => hud.connection);
  if (!connection || connection.isStable) return null;
  const isCritical = connection.quality === 'critical';
  const tone = isCritical ? styles.critical : styles.poor;
  const Icon = isCritical ? WifiOff : TriangleAlert;
  return (
    <HudPanel className={styles.chip}>
      <Icon strokeWidth={2.25} className={tone} />
      <span className={tone} role="status">
        {isCritical ? ARENA_TEXT.connection.critical : ARENA_TEXT.connection.poor}
      </span>
      <span className={styles.figures}>
        {ARENA_TEXT.connection.figures(
          Math.round(connection.averageRttMs),
          Math.round(connection.packetLossPercent),
        )}
      </span>
    </HudPanel>
  );
}
