import type { ConsoleSection } from '@engulf/protocol/http/console';
import { countText, dateTimeText } from '../../shared/format.ts';
import { Panel, PanelHeader } from '../../ui/panel.tsx';
import styles from './chart.module.css';
import { CONSOLE_TEXT } from './text.ts';

const [WIDTH, HEIGHT] = [600, 140];

type ChartSection = Extract<ConsoleSection, { kind: 'chart' }>;

/** Lines over time. Where nothing was measured there is a gap. */
export function Chart({ chart }: { chart: ChartSection }) {
  const { title, unit, from, stepMs, series } = chart;
  const points = series.flatMap((one) => one.points.filter((value) => value !== null));
  const top = Math.max(0, ...points);
  const count = Math.max(...series.map((one) => one.points.length));
  const fromMs = Date.parse(from);
  return (
    <Panel aria-label={title}>
      <PanelHeader title={title}>
        <span className={styles.legend}>
          {series.map(({ label, points: own }, index) => (
            <span key={label} data-series={index}>
              {label} {valueText(own.findLast((value) => value !== null) ?? null, unit)}
            </span>
          ))}
        </span>
      </PanelHeader>
      {points.length === 0 ? (
        <p className={styles.note}>{CONSOLE_TEXT.nothingMeasured}</p>
      ) : (
        <figure className={styles.figure}>
          <figcaption className={styles.note}>{`highest ${valueText(top, unit)}`}</figcaption>
          <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
            {series.map(({ label, points: own }, index) => (
              <path key={label} data-series={index} d={lineOf(own, top)} />
            ))}
          </svg>
          <p className={styles.axis}>
            <span>{dateTimeText(fromMs)}</span>
            <span>{dateTimeText(fromMs + count * stepMs)}</span>
          </p>
        </figure>
      )}
    </Panel>
  );
}

function valueText(value: number | null, unit: string): string {
  if (value === null) return '–';
  const rounded = value >= 100 ? countText(Math.round(value)) : String(Math.round(value * 100) / 100);
  return `${rounded} ${unit}`;
}

function lineOf(points: readonly (number | null)[], top: number): string {
  const stepX = WIDTH / Math.max(1, points.length - 1);
  const scale = top === 0 ? 0 : (HEIGHT - 4) / top;
  return points
    .map((value, index) => {
      if (value === null) return '';
      const isStart = index === 0 || points[index - 1] === null;
      const [x, y] = [(index * stepX).toFixed(1), (HEIGHT - 2 - value * scale).toFixed(1)];
      // A point alone gets a short line, or it would not be seen.
      const dot = isStart && (points[index + 1] ?? null) === null ? 'h-2' : '';
      return `${isStart ? 'M' : 'L'}${x} ${y}${dot}`;
    })
    .join('');
}
