import { Gauge, Mouse, TriangleAlert, WifiOff } from 'lucide-react';
import { countText } from '../../../shared/format.ts';
import { useSetting } from '../../../shared/settings.ts';
import { KeyHint } from '../../../ui/chip.tsx';
import { ACTIONS, keyHints, type Role } from '../input/actions.ts';
import { type ConnectionFigures, POOR } from '../net/connection-metrics.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import { HudPanel } from './panel.tsx';
import styles from './status-panels.module.css';

/** Shown only while the connection is poor or critical. */
export function ConnectionChip() {
  const connection = useHud((hud) => hud.connection);
  if (!connection) return null;
  if (connection.isStable) return connection.isDeviceSlow ? <SlowDevice /> : null;
  const isCritical = connection.quality === 'critical';
  const tone = isCritical ? styles.critical : styles.poor;
  const Icon = isCritical ? WifiOff : TriangleAlert;
  return (
    <HudPanel className={styles.chip}>
      <Icon strokeWidth={2.25} className={tone} />
      <span className={tone} role="status">
        {isCritical ? ARENA_TEXT.connection.critical : ARENA_TEXT.connection.poor}
      </span>
      <span className={styles.figures}>{causeText(connection)}</span>
    </HudPanel>
  );
}

function SlowDevice() {
  return (
    <HudPanel className={styles.chip}>
      <Gauge strokeWidth={2.25} className={styles.poor} />
      <span className={styles.poor} role="status">
        {ARENA_TEXT.connection.slowDevice}
      </span>
    </HudPanel>
  );
}

/** Names what is worst, compared with what makes a connection poor. */
function causeText({ averageRttMs, jitterMs, packetLossPercent }: ConnectionFigures): string {
  const { delay, jitter, loss } = ARENA_TEXT.connection.causes;
  const causes = [
    { share: packetLossPercent / POOR.packetLossPercent, text: loss(Math.round(packetLossPercent)) },
    { share: jitterMs / POOR.jitterMs, text: jitter(Math.round(jitterMs)) },
    { share: averageRttMs / POOR.averageRttMs, text: delay(Math.round(averageRttMs)) },
  ];
  return causes.reduce((worst, cause) => (cause.share > worst.share ? cause : worst)).text;
}

/** The whole of the own mass; the cells show it only where there is room. */
export function MassFigure() {
  const mass = useHud((hud) => hud.sight.mass);
  const cellCount = useHud((hud) => hud.sight.cellCount);
  if (mass === undefined) return null;
  return (
    <HudPanel className={styles.mass}>
      <span>{ARENA_TEXT.mass}</span>
      <b>{countText(mass)}</b>
      {cellCount > 1 && <small>{ARENA_TEXT.cells(cellCount)}</small>}
    </HudPanel>
  );
}

export function KeyHints({ role }: { role: Role }) {
  // The player may choose other keys at any time.
  useSetting('keyBindings');
  return (
    <HudPanel className={styles.hints}>
      {keyHints(role).map(({ keyName, label }) => (
        <KeyHint key={label} keyName={keyName} action={label} />
      ))}
      {role === 'spectator' && (
        <span className={styles.wheel}>
          <Mouse strokeWidth={2.25} />
          {ARENA_TEXT.spectator.zoom}
        </span>
      )}
    </HudPanel>
  );
}

/** Toggled by F3, for reports about performance. */
export function DebugPanel() {
  const debug = useHud((hud) => hud.debug);
  const connection = useHud((hud) => hud.connection);
  if (!debug) return null;
  const figures = {
    Renderer: debug.renderer,
    Frames: `${debug.framesPerSecond} / s`,
    'Frame time': `${debug.frameMs.toFixed(1)} ms`,
    Position: debug.own ? `${debug.own.x}, ${debug.own.y}` : '–',
    Mass: debug.own?.mass ?? '–',
    'Own cells': debug.own?.cellCount ?? '–',
    Cells: debug.cells,
    Food: debug.food,
    Tick: debug.tick,
    Delay: `${debug.delayMs} ms`,
    Received: connection ? `${(connection.bytesPerSecond / 1024).toFixed(1)} KB / s` : '–',
    'Round trip': connection ? `${Math.round(connection.averageRttMs)} ms` : '–',
    Jitter: connection ? `${Math.round(connection.jitterMs)} ms` : '–',
    Quality: connection?.quality ?? '–',
  };
  return (
    <HudPanel title={ACTIONS.debug.label}>
      <dl className={styles.debugFigures}>
        {Object.entries(figures).map(([label, value]) => (
          <FigurePair key={label} label={label} value={value} />
        ))}
      </dl>
    </HudPanel>
  );
}

function FigurePair({ label, value }: { label: string; value: string | number }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </>
  );
}
