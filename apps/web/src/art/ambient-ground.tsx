import { useCallback, useEffect, useState } from 'react';
import { isWindowTooNarrow } from '../shared/layout-scale.ts';
import styles from './ambient-ground.module.css';
import { ArtCanvas } from './art-canvas.tsx';
import { scatterFood } from './draw-food.ts';

const COLOURS: { readonly [theme: string]: GroundColours } = {
  dark: { base: '#0A1412', lit: '#17302A', vignette: '#050908', line: 'rgba(214,232,222,.055)' },
  light: { base: '#E3DCC8', lit: '#F2ECDB', vignette: '#D8D0B9', line: 'rgba(21,32,29,.05)' },
};

const TOP_BAR_PX = 80;
const FOOTER_PX = 48;
const LOGO_PX = 300;
/** In a narrow window the message is at the top, across the whole width. */
const NARROW_MESSAGE_PX = 380;

type Clearing = keyof typeof CLEARINGS;

/** Where food may be drawn: not under the bars of the menu, nor under the message of a full page. */
const CLEARINGS = {
  bars: (_: number, y: number, size: Size) => y > TOP_BAR_PX && y < size.heightPx - FOOTER_PX,
  message: (x: number, y: number, { widthPx, heightPx }: Size) => {
    if (y > heightPx - 2 * FOOTER_PX) return false;
    if (isWindowTooNarrow(widthPx)) return y > NARROW_MESSAGE_PX;
    return x > LOGO_PX && (x > widthPx * 0.54 || y < heightPx * 0.24 || y > heightPx * 0.76);
  },
} as const;

type Size = { readonly widthPx: number; readonly heightPx: number };

/** The arena floor behind the menu. */
export function AmbientGround({ clearing = 'bars' }: { clearing?: Clearing }) {
  const { widthPx, heightPx, theme } = useWindowLook();
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      drawGround(context, widthPx, heightPx, COLOURS[theme] ?? COLOURS.dark!);
      context.globalAlpha = 0.8;
      scatterFood(context, widthPx, heightPx, {
        count: Math.round((widthPx * heightPx) / 12_200),
        seed: 31,
        isFree: (x, y) => CLEARINGS[clearing](x, y, { widthPx, heightPx }),
      });
    },
    [widthPx, heightPx, theme, clearing],
  );
  return <ArtCanvas className={styles.ground} widthPx={widthPx} heightPx={heightPx} draw={draw} />;
}

function useWindowLook() {
  const [look, setLook] = useState(readWindowLook);
  useEffect(() => {
    const update = () => setLook(readWindowLook());
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', update);
    };
  }, []);
  return look;
}

function readWindowLook() {
  return {
    widthPx: window.innerWidth,
    heightPx: window.innerHeight,
    theme: document.documentElement.dataset.theme ?? 'dark',
  };
}

type GroundColours = {
  readonly base: string;
  readonly lit: string;
  readonly vignette: string;
  readonly line: string;
};

const GRID_STEP_PX = 47.5;

/** Light from above, the grid, and dark edges. */
function drawGround(
  context: CanvasRenderingContext2D,
  width: number,
  height: number,
  colours: GroundColours,
): void {
  const light = context.createRadialGradient(
    width / 2,
    height * 0.05,
    60,
    width / 2,
    height * 0.05,
    width * 0.62,
  );
  light.addColorStop(0, colours.lit);
  light.addColorStop(0.55, colours.base);
  light.addColorStop(1, colours.vignette);
  context.fillStyle = light;
  context.fillRect(0, 0, width, height);
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.beginPath();
  for (let x = 0; x < width; x += GRID_STEP_PX) {
    context.moveTo(Math.round(x) + 0.5, 0);
    context.lineTo(Math.round(x) + 0.5, height);
  }
  for (let y = 0; y < height; y += GRID_STEP_PX) {
    context.moveTo(0, Math.round(y) + 0.5);
    context.lineTo(width, Math.round(y) + 0.5);
  }
  context.stroke();
}
