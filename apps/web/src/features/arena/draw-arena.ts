import type { ConnectionQuality } from '@engulf/protocol/room/connection-quality';
import { prefersReducedMotion } from '../../shared/appearance.ts';
import { settings } from '../../shared/settings.ts';
import { type Camera, resizeCamera } from './model/frame/camera.ts';
import type { Frame } from './model/frame/frame.ts';
import { readLook } from './read-look.ts';
import { createPicture } from './render/picture.ts';
import { createFramePace, drawQuality } from './render/quality.ts';
import type { Stage } from './render/stage.ts';

/** Where the frames come from: a room that is live, or a recording. */
export type ArenaSource = {
  readonly camera: Camera;
  /** Of the amounts above the cells. */
  readonly unit: string;
  /** Cells from this mass on are drawn above viruses, smaller ones below. */
  readonly virusDepthMass?: number;
  readonly connection: () => ConnectionQuality;
  readonly advance: (nowMs: number, maxParticles: number) => Frame;
  /** Called after every frame, with the time that it took. */
  readonly onFrame: (frame: Frame, frameMs: number) => void;
};

/** Draws an arena as long and as large as the element. Returns a function that stops. */
export function drawArena(element: HTMLElement, stage: Stage, source: ArenaSource): () => void {
  const picture = createPicture(stage, source.unit, source.virusDepthMass);
  const fillElement = () => {
    stage.resize(Math.max(1, element.clientWidth), Math.max(1, element.clientHeight));
    resizeCamera(source.camera, element.clientWidth, element.clientHeight);
  };
  fillElement();
  const observer = new ResizeObserver(fillElement);
  observer.observe(element);
  const pace = createFramePace();
  let look = readLook();
  const stopSettings = settings.subscribe(() => {
    look = readLook();
  });
  let lastMs = performance.now();
  let request = requestAnimationFrame(drawFrame);

  return () => {
    cancelAnimationFrame(request);
    stopSettings();
    observer.disconnect();
    picture.destroy();
  };

  function drawFrame(): void {
    request = requestAnimationFrame(drawFrame);
    const nowMs = performance.now();
    const quality = drawQuality({
      connection: source.connection(),
      prefersReducedMotion: prefersReducedMotion(),
      isMachineFast: pace.isFast,
      look,
    });
    stage.setSharpness(pace.sharpness);
    const frame = source.advance(nowMs, quality.maxParticles);
    picture.draw(frame, quality);
    const frameMs = performance.now() - nowMs;
    if (!picture.isPreparing) pace.note(frameMs, nowMs - lastMs);
    lastMs = nowMs;
    source.onFrame(frame, frameMs);
  }
}
