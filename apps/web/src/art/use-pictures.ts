import { useEffect, useState } from 'react';

/** The pictures at these addresses, in their order; undefined until all are there. A broken one stays away. */
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
