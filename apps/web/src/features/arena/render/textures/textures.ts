import { CanvasSource, Texture } from 'pixi.js';

/** A texture painted once. `sizePx` is in the units that `paint` works in; the canvas is denser than that. */
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

/** `isShrunk`: drawn much smaller than painted at times, so it needs smaller copies of itself. */
export function canvasTexture(canvas: HTMLCanvasElement, density: number, isShrunk = false): Texture {
  return new Texture({
    source: new CanvasSource({
      resource: canvas,
      resolution: density,
      autoGenerateMipmaps: isShrunk,
      scaleMode: 'linear',
    }),
  });
}

/** Everything it painted is destroyed with it; what has not been used for a while goes when room is needed. */
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
      // A map keeps the order of insertion: moved to the end, the least recently used is always in front.
      this.#textures.delete(key);
      this.#textures.set(key, known);
      return known;
    }
    const texture = paint();
    this.#textures.set(key, texture);
    return texture;
  }

  /** To be called when nothing on the screen refers to the oldest any more: at the end of a frame. */
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
