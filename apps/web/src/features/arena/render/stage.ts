import 'pixi.js/unsafe-eval';
import { autoDetectRenderer, Container, type Renderer, Ticker } from 'pixi.js';
import type { Frame } from '../model/frame/frame.ts';
import type { DrawQuality } from './quality.ts';

/** The canvas in the page and its scene graph. */
export type Stage = {
  readonly renderer: Renderer;
  readonly root: Container;
  readonly density: number;
  readonly kind: 'webgl' | 'canvas';
  resize(widthPx: number, heightPx: number): void;
  /** Draws a share of the pixels across where all are too many: the plain canvas is painted by the processor. */
  setSharpness(share: number): void;
  render(): void;
  destroy(): void;
};

/** A higher density costs every frame and is not visible. */
const MAX_DENSITY = 2;

/** Uses WebGL only if the hardware supports it: in software it is slower than sprites on a plain canvas. */
export async function createStage(
  element: HTMLElement,
  kind: Stage['kind'] = hasHardwareWebgl() ? 'webgl' : 'canvas',
): Promise<Stage> {
  // Pixi's housekeeping would ask for animation frames of its own; `render` does it along with the picture.
  Ticker.system.autoStart = false;
  Ticker.system.stop();
  const density = kind === 'webgl' ? Math.min(MAX_DENSITY, window.devicePixelRatio || 1) : 1;
  const renderer = await autoDetectRenderer({
    preference: kind === 'webgl' ? ['webgl', 'canvas'] : ['canvas'],
    width: Math.max(1, element.clientWidth),
    height: Math.max(1, element.clientHeight),
    resolution: density,
    autoDensity: true,
    antialias: false,
    background: '#0A1412',
    // On the plain canvas the ground covers everything.
    clearBeforeRender: kind === 'webgl',
    powerPreference: 'high-performance',
    // Nothing in the picture can be clicked: Pixi need not follow the pointer.
    skipExtensionImports: true,
  });
  const root = new Container();
  const canvas = renderer.canvas as HTMLCanvasElement;
  canvas.style.display = 'block';
  element.append(canvas);
  return {
    renderer,
    root,
    density,
    kind,
    resize: (widthPx, heightPx) => renderer.resize(widthPx, heightPx, renderer.resolution),
    setSharpness(share) {
      const wanted = kind === 'canvas' ? density * share : density;
      if (renderer.resolution === wanted) return;
      renderer.resize(element.clientWidth, element.clientHeight, wanted);
    },
    render() {
      Ticker.system.update();
      renderer.render(root);
    },
    destroy: () => {
      root.destroy({ children: true });
      renderer.destroy({ removeView: true });
    },
  };
}

const SOFTWARE_RENDERER = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Some browsers return software WebGL even when asked not to; only the renderer's name shows it. */
function hasHardwareWebgl(): boolean {
  const context = document
    .createElement('canvas')
    .getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (!context) return false;
  const naming = context.getExtension('WEBGL_debug_renderer_info');
  const name = context.getParameter(naming?.UNMASKED_RENDERER_WEBGL ?? context.RENDERER);
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return !SOFTWARE_RENDERER.test(String(name));
}

/** One layer of the picture. It owns its display objects. */
export type Pass = {
  readonly layer: Container;
  draw(frame: Frame, quality: DrawQuality): void;
  destroy(): void;
};
