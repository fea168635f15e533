import { CanvasSource, Texture } from 'pixi.js';

/** Paints a texture. `paint` works in the given pixels; the canvas is denser by `density`. */
export function paintTexture(
  widthPx: number,
  heightPx: number,
  density: number,
  paint: (context: CanvasRenderingContext2D) => void,
): Texture {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.ceil(widthPx * density));
  canvas.height = Math.max(1, Math.ceil(heightPx * density));
  const context = canvas.getContext('2d')!;
  context.scale(density, density);
  paint(context);
  return canvasTexture(canvas, density);
}

/** `hasMipmaps` is for textures that may be drawn much smaller than painted. */
export function canvasTexture(canvas: HTMLCanvasElement, density: number, hasMipmaps = false): Texture {
  return new Texture({
    source: new CanvasSource({
      resource: canvas,
      resolution: density,
      autoGenerateMipmaps: hasMipmaps,
      scaleMode: 'linear',
    }),
  });
}

/** A cache of painted textures that drops the least recently used. Owns its textures. */
export class TextureShelf {
  readonly #textures = new Map<string, Texture>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  has(key: string): boolean {
    return this.#textures.has(key);
  }

  take(key: string, paint: () => Texture): Texture {
    const known = this.#textures.get(key);
    if (known) {
      // A map keeps insertion order, so re-inserting leaves the least recently used in front.
      this.#textures.delete(key);
      this.#textures.set(key, known);
      return known;
    }
    const texture = paint();
    this.#textures.set(key, texture);
    return texture;
  }

  /** Call at the end of a frame. */
  trim(isInUse: (texture: Texture) => boolean): void {
    for (const [key, texture] of this.#textures) {
      if (this.#textures.size <= this.#capacity) return;
      if (isInUse(texture)) continue;
      this.#textures.delete(key);
      texture.destroy(true);
    }
  }

  destroy(): void {
    for (const texture of this.#textures.values()) texture.destroy(true);
    this.#textures.clear();
  }
}
