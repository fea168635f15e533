import { ARENA_TEXT } from '../text.ts';
import styles from './debug-panel.module.css';
import { HudPanel } from './panel.tsx';
import { useHud } from './use-hud.ts';

/** Behind F3: for players who report that something is slow, and for us who have to believe them. */
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
    Received: `${(debug.bytesPerSecond / 1024).toFixed(1)} KB / s`,
    'Round trip': connection ? `${Math.round(connection.averageRttMs)} ms` : '–',
    Jitter: connection ? `${Math.round(connection.jitterMs)} ms` : '–',
    Quality: connection?.quality ?? '–',
  };
  return (
    <HudPanel title={ARENA_TEXT.debug}>
      <dl className={styles.figures}>
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
