type Sized = { readonly width: number; readonly height: number };

/**
 * A cache of pictures, limited by their total number of pixels. The least recently used are dropped. Whoever is to paint
 * a missing one may decline.
 */
export function createPictureCache<Picture extends Sized>(maxPixels: number) {
  const pictures = new Map<string, Picture>();
  let pixels = 0;
  return <Painted extends Picture | undefined>(key: string, paint: () => Painted): Picture | Painted => {
    const known = pictures.get(key);
    const picture = known ?? paint();
    if (!picture) return picture;
    if (known) pictures.delete(key);
    else pixels += picture.width * picture.height;
    // A map keeps insertion order, so the most recently used is last.
    pictures.set(key, picture);
    for (const [oldest, { width, height }] of pictures) {
      if (pixels <= maxPixels || oldest === key) break;
      pictures.delete(oldest);
      pixels -= width * height;
    }
    return picture;
  };
}
