import { useEffect, useRef } from 'react';
import { usePictures } from '../../art/art-canvas.tsx';
import egg from '../../art/avatars/egg.svg';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import styles from './guide-popup.module.css';
import { drawGround, SCENE_SIZE, SCENES, type Scene } from './guide-scenes.ts';

const RULES = ['move', 'eat', 'split', 'eject', 'virus', 'portal'] as const;
const PORTRAITS = [egg];

/** How the game is played, each rule as a moving picture with a sentence. */
export function GuidePopup({ onClose }: { onClose: () => void }) {
  const pictures = usePictures(PORTRAITS);
  return (
    <Popup title={TEXT.guide.title} isOpen onClose={onClose} size="xl">
      <PopupLead>{TEXT.guide.lead}</PopupLead>
      <ul className={styles.rules}>
        {RULES.map((rule) => (
          <li key={rule} className={styles.rule}>
            {pictures?.[0] ? (
              <SceneCanvas scene={SCENES[rule]} portrait={pictures[0]} />
            ) : (
              <span className={styles.scene} />
            )}
            <h3 className={styles.name}>{TEXT.guide.rules[rule].name}</h3>
            <p className={styles.text}>{TEXT.guide.rules[rule].text}</p>
          </li>
        ))}
      </ul>
      <PopupActions>
        <Button size="lg" variant="primary" autoFocus onClick={onClose}>
          {TEXT.guide.close}
        </Button>
      </PopupActions>
    </Popup>
  );
}

const LOOP_MS = 3_600;
const FRAME_MS = 1000 / 30;
/** The moment that says most, for people who do not want things to move. */
const STILL_AT = 0.45;

function SceneCanvas({ scene, portrait }: { scene: Scene; portrait: CanvasImageSource }) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const density = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = SCENE_SIZE.widthPx * density;
    canvas.height = SCENE_SIZE.heightPx * density;
    context.scale(density, density);
    const draw = (along: number) => {
      drawGround(context);
      scene(context, along, portrait);
    };
    draw(STILL_AT);
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    let frame = 0;
    let drawnAtMs = 0;
    const next = (nowMs: number) => {
      frame = requestAnimationFrame(next);
      if (nowMs - drawnAtMs < FRAME_MS) return;
      drawnAtMs = nowMs;
      draw((nowMs / LOOP_MS) % 1);
    };
    frame = requestAnimationFrame(next);
    return () => cancelAnimationFrame(frame);
  }, [scene, portrait]);
  return <canvas ref={ref} className={styles.scene} />;
}
