import { useEffect, useRef } from 'react';

type ArtCanvasProps = {
  widthPx: number;
  heightPx: number;
  /** Drawn anew whenever it changes: keep it stable. */
  draw: (context: CanvasRenderingContext2D) => void;
  className?: string | undefined;
};

/** A picture drawn once, sharp on any screen. Decorative. */
export function ArtCanvas({ widthPx, heightPx, draw, className }: ArtCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const density = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = Math.round(widthPx * density);
    canvas.height = Math.round(heightPx * density);
    context.scale(density, density);
    draw(context);
  }, [widthPx, heightPx, draw]);

  return <canvas ref={ref} className={className} style={{ width: widthPx, height: heightPx }} />;
}
