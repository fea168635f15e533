import { settings } from '../../../shared/settings.ts';
import { toScreenX } from '../model/frame/camera.ts';
import type { Frame } from '../model/frame/frame.ts';
import { type Body, isLargeEnoughToEat } from '../model/playout/bodies.ts';
import type { ArenaEvent, ArenaEvents } from '../net/events.ts';
import { panOf, pitchOf } from './sounds.ts';
import { createSynth, type Synth } from './synth.ts';

/** From this many new pieces at once it is a burst, not a split. */
const BURST_FROM_PIECES = 4;
const DANGER_EVERY_MS = 200;
/** How near a larger cell has to be, in own radii from edge to edge. */
const DANGER_REACH = 1.6;

/** Turns what happens in the arena into sound. `onFrame` is to be called after every frame. */
export function hearArena(
  events: ArenaEvents,
  synth: Synth = createSynth(),
): { onFrame(frame: Frame): void; stop(): void } {
  let eaten: (ArenaEvent & { type: 'eaten' })[] = [];
  let cellCount = 0;
  let dangerCheckedMs = 0;
  const unsubscribe = events.subscribe(onEvent);
  const applyVolume = () => synth.setVolume(audibleVolume('audioVolume'), audibleVolume('ambienceVolume'));
  const stopSettings = settings.subscribe(applyVolume);
  applyVolume();
  const onClick = (event: MouseEvent) => {
    synth.unlock();
    if (event.target instanceof Element && event.target.closest('button')) synth.play('button');
  };
  const unlock = () => synth.unlock();
  window.addEventListener('click', onClick, true);
  window.addEventListener('pointerdown', unlock);
  window.addEventListener('keydown', unlock);
  // The click that led here was the first gesture already.
  if (navigator.userActivation?.hasBeenActive) synth.unlock();

  return {
    onFrame(frame) {
      hearEaten(frame);
      cellCount = frame.own?.cellCount ?? 0;
      if (frame.nowMs - dangerCheckedMs < DANGER_EVERY_MS) return;
      dangerCheckedMs = frame.nowMs;
      const near = frame.own && dangerNear(frame, frame.own.primary);
      hearDanger(frame, near);
      synth.setMood(frame.own && { mass: frame.own.mass, danger: near?.closeness ?? 0 });
    },
    stop() {
      unsubscribe();
      stopSettings();
      window.removeEventListener('click', onClick, true);
      window.removeEventListener('pointerdown', unlock);
      window.removeEventListener('keydown', unlock);
      synth.dispose();
    },
  };

  function onEvent(event: ArenaEvent): void {
    switch (event.type) {
      case 'eaten':
        eaten.push(event);
        return;
      case 'split':
        synth.play(event.cellCount - cellCount >= BURST_FROM_PIECES ? 'burst' : 'split');
        return;
      case 'ejected':
        synth.play('eject');
        return;
      case 'KO':
        synth.play('kill');
        return;
      case 'portalPhase':
        if (event.phase === 'warning') synth.play('portalWarning');
        if (event.phase === 'active') synth.play('portalLive');
        return;
      case 'countdown':
        if (event.countdown) synth.play('warning');
        return;
      case 'gameOver':
        if (event.payload.cause === 'portal' || event.payload.cause === 'closed') synth.play('cashOut');
        else if (event.payload.cause === 'eaten') synth.play('death');
    }
  }

  /** The model starts a gulp for each thing eaten, in the same order; they know place and size. */
  function hearEaten({ gulps, nowMs, camera }: Frame): void {
    const fresh = gulps.filter(({ startedMs }) => startedMs === nowMs);
    eaten.forEach(({ prey, isOwnEater }, index) => {
      const gulp = fresh[index];
      const pan = gulp ? panOf(toScreenX(camera, gulp.fromX), camera.widthPx) : 0;
      const pitch = pitchOf(gulp?.fromRadius ?? 14);
      if (prey === 'cell') synth.play('gulp', { pan, pitch, gain: isOwnEater ? 1 : 0.6 });
      else if (isOwnEater) synth.play('eat', { pan, pitch, gain: 0.8 });
    });
    eaten = [];
  }

  function hearDanger(frame: Frame, near: ReturnType<typeof dangerNear>): void {
    if (!near) return;
    const pan = panOf(toScreenX(frame.camera, near.x), frame.camera.widthPx);
    synth.play('danger', { pan, gain: near.closeness });
  }
}

/** The nearest cell that could swallow this one, if it is close; `closeness` is 1 at the edge. */
export function dangerNear(
  { cells, size }: Pick<Frame, 'cells' | 'size'>,
  own: Body,
): { readonly x: number; readonly closeness: number } | undefined {
  let nearest: { x: number; closeness: number } | undefined;
  for (const cell of cells) {
    if (cell.player === own.player || !isLargeEnoughToEat(cell, own, size)) continue;
    const gap = (Math.hypot(cell.x - own.x, cell.y - own.y) - cell.radius - own.radius) / own.radius;
    const closeness = 1 - Math.max(0, gap) / DANGER_REACH;
    if (closeness > (nearest?.closeness ?? 0)) nearest = { x: cell.x, closeness };
  }
  return nearest;
}

function audibleVolume(name: 'audioVolume' | 'ambienceVolume'): number {
  return settings.read('isMuted') ? 0 : settings.read(name);
}
