import { useEffect, useRef } from 'react';
import { prefersReducedMotion } from '../../shared/appearance.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import styles from './live-arena.module.css';
import { createSketchPicture } from './sketch-picture.ts';

/** A free arena as it is now, drawn from a few numbers a second. With reduced motion and on slow machines it stands still. */
export function LiveArena() {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = ref.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const picture = createSketchPicture(canvas, context);
    const receive = () => {
      const { lobbies, pulses } = useLobbyStore.getState();
      const shown = lobbies?.find(({ id }) => pulses[id]?.sketch !== undefined);
      if (shown) picture.receive(pulses[shown.id]!.sketch!, prefersReducedMotion());
    };
    receive();
    const unsubscribe = useLobbyStore.subscribe(receive);
    return () => {
      unsubscribe();
      picture.stop();
    };
  }, []);
  return <canvas ref={ref} className={styles.arena} />;
}
