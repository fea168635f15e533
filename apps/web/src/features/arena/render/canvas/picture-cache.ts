type Sized = { readonly width: number; readonly height: number };

/** A cache of pictures, limited by their total number of pixels. The least recently used are dropped. */
export function createPictureCache<Picture extends Sized>(maxPixels: number) {
  const pictures = new Map<string, Picture>();
  let pixels = 0;
  return (key: string, paint: () => Picture): Picture => {
    let picture = pictures.get(key);
    if (picture) pictures.delete(key);
    else {
      picture = paint();
      pixels += picture.width * picture.height;
    }
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
