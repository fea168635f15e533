import { useCallback, useEffect, useState } from 'react';
import styles from './ambient-ground.module.css';
import { ArtCanvas } from './art-canvas.tsx';
import { drawGround, type GroundColours, scatterFood } from './draw-ground.ts';

const COLOURS: { readonly [theme: string]: GroundColours } = {
  dark: { base: '#0A1412', lit: '#17302A', vignette: '#050908', line: 'rgba(214,232,222,.055)' },
  light: { base: '#E3DCC8', lit: '#F2ECDB', vignette: '#D8D0B9', line: 'rgba(21,32,29,.05)' },
};

const TOP_BAR_PX = 80;
const FOOTER_PX = 48;

/** The dish behind the panels. Food stays clear of the bars at the top and the bottom, where text lies on it. */
export function AmbientGround() {
  const { widthPx, heightPx, theme } = useSurroundings();
  const draw = useCallback(
    (context: CanvasRenderingContext2D) => {
      drawGround(context, widthPx, heightPx, COLOURS[theme] ?? COLOURS.dark!);
      context.globalAlpha = 0.8;
      scatterFood(context, widthPx, heightPx, {
        count: Math.round((widthPx * heightPx) / 12_200),
        seed: 31,
        isFree: (_, y) => y > TOP_BAR_PX && y < heightPx - FOOTER_PX,
      });
    },
    [widthPx, heightPx, theme],
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
