import { useEffect, useRef, useState } from 'react';

type ArtCanvasProps = {
  widthPx: number;
  heightPx: number;
  /**
   * The canvas is redrawn whenever this changes, so keep it stable. A generator is drawn a few milliseconds at a time, so
   * that a rich picture does not stop a game that runs behind it.
   */
  draw: (context: CanvasRenderingContext2D) => void | Generator<void>;
  className?: string | undefined;
};

/** A decorative picture, sharp on any screen. */
export function ArtCanvas({ widthPx, heightPx, draw, className }: ArtCanvasProps) {
  const ref = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const density = Math.min(2, (window.devicePixelRatio || 1) * Math.max(1, canvas.currentCSSZoom ?? 1));
    canvas.width = Math.round(widthPx * density);
    canvas.height = Math.round(heightPx * density);
    context.scale(density, density);
    const steps = draw(context);
    return steps ? runInSlices(steps) : undefined;
  }, [widthPx, heightPx, draw]);

  return <canvas ref={ref} className={className} style={{ width: widthPx, height: heightPx }} />;
}

const SLICE_MS = 5;

/** Returns a function that gives up. */
function runInSlices(steps: Generator<void>): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const run = () => {
    const startedMs = performance.now();
    while (performance.now() - startedMs < SLICE_MS) if (steps.next().done) return;
    timer = setTimeout(run, 12);
  };
  run();
  return () => clearTimeout(timer);
}

/** Loads pictures; undefined until all have loaded or failed. A failed one is undefined. */
export function usePictures(urls: readonly string[]): readonly (HTMLImageElement | undefined)[] | undefined {
  const key = urls.join('\n');
  const [loaded, setLoaded] = useState<{ key: string; images: (HTMLImageElement | undefined)[] }>();
  useEffect(() => {
    let isWanted = true;
    void Promise.all(key.split('\n').map(loadPicture)).then((images) => {
      if (isWanted) setLoaded({ key, images });
    });
    return () => {
      isWanted = false;
    };
  }, [key]);
  return loaded?.key === key ? loaded.images : undefined;
}

async function loadPicture(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image(128, 128);
  image.src = url;
  return image.decode().then(
    () => image,
    () => undefined,
  );
}
