import { useCallback, useEffect, useState } from 'react';
import { isWindowTooNarrow } from '../shared/layout-scale.ts';
import styles from './ambient-ground.module.css';
import { ArtCanvas } from './art-canvas.tsx';
import { drawGround, type GroundColours, scatterFood } from './draw-ground.ts';

const COLOURS: { readonly [theme: string]: GroundColours } = {
  dark: { base: '#0A1412', lit: '#17302A', vignette: '#050908', line: 'rgba(214,232,222,.055)' },
  light: { base: '#E3DCC8', lit: '#F2ECDB', vignette: '#D8D0B9', line: 'rgba(21,32,29,.05)' },
};

const TOP_BAR_PX = 80;
const FOOTER_PX = 48;
const LOGO_PX = 300;
/** In a narrow window the message stands on top, over the whole width. */
const NARROW_MESSAGE_PX = 380;

type Clearing = keyof typeof CLEARINGS;

/** Where no food lies, because text does: the bars of the menu, or the message of a full page. */
const CLEARINGS = {
  bars: (_: number, y: number, size: Size) => y > TOP_BAR_PX && y < size.heightPx - FOOTER_PX,
  message: (x: number, y: number, { widthPx, heightPx }: Size) => {
    if (y > heightPx - 2 * FOOTER_PX) return false;
    if (isWindowTooNarrow(widthPx)) return y > NARROW_MESSAGE_PX;
    return x > LOGO_PX && (x > widthPx * 0.54 || y < heightPx * 0.24 || y > heightPx * 0.76);
  },
} as const;

type Size = { readonly widthPx: number; readonly heightPx: number };

/** The dish behind the panels. */
export function AmbientGround({ clearing = 'bars' }: { clearing?: Clearing }) {
  const { widthPx, heightPx, theme } = useSurroundings();
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

function useSurroundings() {
  const [surroundings, setSurroundings] = useState(readSurroundings);
  useEffect(() => {
    const update = () => setSurroundings(readSurroundings());
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    window.addEventListener('resize', update);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', update);
    };
  }, []);
  return surroundings;
}

function readSurroundings() {
  return {
    widthPx: window.innerWidth,
    heightPx: window.innerHeight,
    theme: document.documentElement.dataset.theme ?? 'dark',
  };
}
