import { Orbit, Waves } from 'lucide-react';
import type { PointerEvent } from 'react';
import { useCellColours } from '../../../art/cell-colours.ts';
import { classNames } from '../../../ui/class-names.ts';
import { keyNameOf } from '../input/actions.ts';
import { MINIMAP_LABELS } from '../model/frame/map-grid.ts';
import { clockText } from '../model/frame/portals.ts';
import { ARENA_TEXT } from '../text.ts';
import { type MapPortal, type MapTide, useHud } from './hud-store.ts';
import styles from './minimap.module.css';
import { HudPanel } from './panel.tsx';

const SIZE = 320;
const FIELD = SIZE / 5;

/** The arena as five by five fields, with the player and the portals of the wave. */
export function Minimap({ onLook }: { onLook?: ((left: number, top: number) => void) | undefined }) {
  const portals = useHud((hud) => hud.sight.portals);
  const own = useHud((hud) => hud.sight.own);
  const others = useHud((hud) => hud.sight.others);
  const view = useHud((hud) => hud.sight.view);
  const tide = useHud((hud) => hud.sight.tide);
  const colours = useCellColours();
  return (
    <HudPanel title={ARENA_TEXT.gameMap} aside={<kbd className={styles.key}>{keyNameOf('map')}</kbd>}>
      <div className={styles.map}>
        <svg
          viewBox="-3 -3 326 326"
          role="img"
          aria-label={ARENA_TEXT.gameMap}
          onPointerDown={onLook && ((event) => onLook(...pointOnMap(event)))}
        >
          <Grid portals={portals} />
          <Water tide={tide} />
          {others.map(({ id, left, top, colour, size }) => (
            <circle
              key={id}
              cx={left * SIZE}
              cy={top * SIZE}
              r={Math.max(3, size)}
              fill={colours[colour]?.[0]}
            />
          ))}
          {portals.map(({ id, left, top, isOpen }) => (
            <g key={id} opacity={isOpen ? 1 : 0.55}>
              <circle cx={left * SIZE} cy={top * SIZE} r="15" fill="#FF9330" opacity="0.28" />
              <circle
                cx={left * SIZE}
                cy={top * SIZE}
                r="8.5"
                fill="#2A1204"
                stroke="#FF9330"
                strokeWidth="4.5"
              />
            </g>
          ))}
          {view && view.width < 1 && (
            <rect
              x={view.left * SIZE}
              y={view.top * SIZE}
              width={view.width * SIZE}
              height={view.height * SIZE}
              rx="4"
              className={styles.view}
            />
          )}
          {own && (
            <>
              <circle cx={own.left * SIZE} cy={own.top * SIZE} r="13" fill="#FF6F91" opacity="0.3" />
              <circle
                cx={own.left * SIZE}
                cy={own.top * SIZE}
                r="7.5"
                fill="#FF6F91"
                stroke="#F5F2E7"
                strokeWidth="3"
              />
            </>
          )}
        </svg>
      </div>
    </HudPanel>
  );
}

/** As fractions of the map's sides. */
function pointOnMap({ currentTarget, clientX, clientY }: PointerEvent<SVGSVGElement>): [number, number] {
  const { left, top, width, height } = currentTarget.getBoundingClientRect();
  return [(clientX - left) / width, (clientY - top) / height];
}

/** What is under water, the shore, and where the water is heading. */
function Water({ tide: { size, goal, news } }: { tide: MapTide }) {
  if (size >= 1 && goal >= 1) return null;
  const square = (share: number) => ({ x: (SIZE * (1 - share)) / 2, width: SIZE * share });
  const { x, width } = square(size);
  const dashed = square(goal);
  return (
    <>
      <defs>
        <pattern id="map-water" width="16" height="10" patternUnits="userSpaceOnUse">
          <path d="M0 5q4 -4 8 0t8 0" className={styles.ripple} />
        </pattern>
      </defs>
      {['var(--map-water)', 'url(#map-water)'].map((fill) => (
        <path
          key={fill}
          fill={fill}
          fillRule="evenodd"
          d={`M18 0H${SIZE - 18}q18 0 18 18V${SIZE - 18}q0 18 -18 18H18q-18 0 -18 -18V18q0 -18 18 -18zM${x} ${x}v${width}h${width}v-${width}z`}
        />
      ))}
      <rect x={x} y={x} width={width} height={width} rx="5" className={styles.shore} />
      {news && (
        <rect
          x={dashed.x}
          y={dashed.x}
          width={dashed.width}
          height={dashed.width}
          rx="5"
          className={styles.goal}
        />
      )}
    </>
  );
}

/** Announces that the arena gets smaller or larger. */
export function TideNotice() {
  const { news, secondsLeft } = useHud((hud) => hud.sight.tide);
  if (!news) return null;
  const { rising, falling, risingIn } = ARENA_TEXT.tide;
  const text = news === 'falling' ? falling : secondsLeft > 0 ? risingIn(secondsLeft) : rising;
  return (
    <HudPanel className={classNames(styles.portal, styles.tide)} role="status">
      <Waves strokeWidth={2.25} />
      {text}
    </HudPanel>
  );
}

function Grid({ portals }: { portals: readonly MapPortal[] }) {
  const marked = new Set(portals.map(({ field }) => field));
  return (
    <>
      <rect
        width={SIZE}
        height={SIZE}
        rx="18"
        fill="var(--hud-sunk)"
        stroke="var(--hud-line)"
        strokeWidth="2.5"
      />
      <path
        stroke="var(--line)"
        strokeWidth="1.5"
        d={[1, 2, 3, 4].map((line) => `M${line * FIELD} 0V${SIZE}M0 ${line * FIELD}H${SIZE}`).join('')}
      />
      {MINIMAP_LABELS.map((label, index) => {
        const x = (index % 5) * FIELD;
        const y = Math.floor(index / 5) * FIELD;
        return (
          <g key={label}>
            {marked.has(label) && (
              <rect
                x={x + 1.5}
                y={y + 1.5}
                width={FIELD - 3}
                height={FIELD - 3}
                rx="4"
                fill="rgb(255 147 48 / 0.16)"
              />
            )}
            <text x={x + 7} y={y + 20} className={styles.field}>
              {label}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** One line per portal: its field, and the time until it opens or closes. */
export function PortalList() {
  const portals = useHud((hud) => hud.sight.portals);
  if (portals.length === 0) {
    return (
      <HudPanel className={classNames(styles.portal, styles.none)}>
        <Orbit strokeWidth={2.25} />
        {ARENA_TEXT.portals.none}
      </HudPanel>
    );
  }
  return (
    <div className={styles.portals}>
      {portals.map(({ id, field, isOpen, secondsLeft }) => (
        <HudPanel key={id} className={classNames(styles.portal, styles.near)}>
          <Orbit strokeWidth={2.25} />
          {isOpen ? ARENA_TEXT.portals.in(field) : ARENA_TEXT.portals.soonIn(field)}
          <b>{clockText(secondsLeft)}</b>
        </HudPanel>
      ))}
    </div>
  );
}
