import { RotateCcw, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { prefersReducedMotion } from '../../shared/appearance.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import styles from './death-film.module.css';
import { drawArena } from './draw-arena.ts';
import { followPlayer } from './model/frame/camera.ts';
import type { LastMoments } from './model/last-moments.ts';
import { createStage } from './render/stage.ts';
import { ARENA_TEXT } from './text.ts';

type DeathFilmProps = {
  moments: LastMoments;
  /** Undefined if nobody was named. */
  killer: string | undefined;
  unit: string;
  virusDepthMass: number;
  /** Without it the film is only a background: its end, once, without words. */
  onClose?: () => void;
};

/** Replays the last seconds of a life over the arena: from the killer's view, as far as the player could see the killer. */
export function DeathFilm({ moments, killer, unit, virusDepthMass, onClose }: DeathFilmProps) {
  const elementRef = useRef<HTMLDivElement>(null);
  const [isOver, setOver] = useState(false);
  const [isKillerSeen, setKillerSeen] = useState(false);
  const [showing, setShowing] = useState(0);
  const isBackground = onClose === undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each showing starts from the beginning.
  useEffect(() => {
    const element = elementRef.current;
    if (!element) return;
    let stop = () => {};
    let isGone = false;
    setOver(false);
    setKillerSeen(false);
    void showMoments(element, moments, {
      killer,
      unit,
      virusDepthMass,
      isBackground,
      onKiller: () => setKillerSeen(true),
      onOver: () => setOver(true),
    }).then((stopFilm) => {
      if (isGone) stopFilm();
      else stop = stopFilm;
    });
    return () => {
      isGone = true;
      stop();
    };
  }, [moments, killer, unit, virusDepthMass, showing, isBackground]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose?.();
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [onClose]);
  const { rekt } = ARENA_TEXT;
  if (isBackground)
    return (
      <div className={styles.film} aria-hidden="true">
        <div ref={elementRef} className={styles.canvas} />
      </div>
    );
  return (
    <section className={styles.film} aria-label={rekt.watch}>
      <div ref={elementRef} className={styles.canvas} />
      <h2 className={styles.title}>
        {killer !== undefined && isKillerSeen ? rekt.eyes(killer) : rekt.ownEyes}
      </h2>
      <div className={styles.buttons}>
        {isOver && (
          <Button icon={<RotateCcw />} onClick={() => setShowing((count) => count + 1)}>
            {rekt.again}
          </Button>
        )}
        <Button autoFocus variant="bone" icon={<X />} onClick={onClose}>
          {TEXT.close}
        </Button>
      </div>
    </section>
  );
}

const BACKGROUND_MS = 6_000;
/** Before the end, where reduced motion is wanted: the moment before it happened. */
const STILL_MS = 500;

type Film = {
  killer: string | undefined;
  unit: string;
  virusDepthMass: number;
  isBackground: boolean;
  /** From now on the film follows the killer. */
  onKiller: () => void;
  onOver: () => void;
};

/** Returns a function that stops the film. */
async function showMoments(
  element: HTMLElement,
  moments: LastMoments,
  { killer, unit, virusDepthMass, isBackground, onKiller, onOver }: Film,
) {
  const stage = await createStage(element);
  const film = moments.replay();
  const { model } = film;
  const { own } = model.view;
  let lastMs = performance.now();
  const isStill = isBackground && prefersReducedMotion();
  if (isBackground) film.advance(Math.max(0, film.lengthMs - (isStill ? STILL_MS : BACKGROUND_MS)));
  let isTold = false;
  let hasKiller = false;
  const locateNamed = (name: string | undefined) => {
    const player = [...model.view.players.values()].find((one) => one.name === name && one.cells.length > 0);
    return player && model.locate(player.id);
  };
  const stopDrawing = drawArena(element, stage, {
    camera: model.camera,
    unit,
    virusDepthMass,
    connection: () => 'excellent',
    advance: (nowMs, maxParticles) => {
      const filmMs = film.advance(isStill ? 0 : nowMs - lastMs);
      lastMs = nowMs;
      return model.advance(filmMs, maxParticles, (frame) => {
        const eater = locateNamed(killer);
        if (eater && !hasKiller) {
          hasKiller = true;
          onKiller();
        }
        const target = eater ?? locateNamed(model.view.own?.name ?? own?.name);
        if (target) followPlayer(model.camera, target, frame.nowMs, frame.elapsedMs);
      });
    },
    onFrame: () => {
      if (isTold || !film.isOver) return;
      isTold = true;
      onOver();
    },
  });
  return () => {
    stopDrawing();
    stage.destroy();
  };
}
