import { useEffect, useState } from 'react';
import { settings, useSetting } from '../../../shared/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { keyNameOf } from '../input/actions.ts';
import type { ArenaEvents } from '../net/events.ts';
import { ARENA_TEXT } from '../text.ts';
import { beginLesson, isLesson, LESSONS, type Lesson, learnFrom } from './first-life.ts';
import styles from './first-life-guide.module.css';
import { useHud, useHudStore } from './hud-store.ts';
import { HudPanel } from './panel.tsx';

/** Played once per browser. A life that ends early goes on where it was in the next one. */
export function FirstLifeGuide({ events }: { events: ArenaEvents }) {
  const [isDone, setDone] = useSetting('hasPlayedBefore');
  const hud = useHudStore();
  const [taught, setTaught] = useState<Lesson>(rememberedLesson);
  const opensIn = useHud(({ sight: { portalTimer } }) =>
    portalTimer.tone === 'live' ? undefined : portalTimer.text,
  );
  useEffect(() => {
    if (isDone) return;
    let progress = beginLesson(rememberedLesson(), performance.now());
    const learn = (news: Parameters<typeof learnFrom>[1]) => {
      const learned = learnFrom(progress, news);
      if (!learned) {
        settings.write('hasPlayedBefore', true);
        return;
      }
      if (learned.lesson !== progress.lesson) settings.write('guideLesson', learned.lesson);
      progress = learned;
      setTaught(learned.taught);
    };
    const stopLooking = hud.subscribe(({ sight }) =>
      learn({
        type: 'glimpse',
        nowMs: performance.now(),
        own: sight.own,
        isNearVirus: sight.isNearVirus,
        isPortalAnnounced: sight.portals.length > 0,
      }),
    );
    const stopListening = events.subscribe(learn);
    return () => {
      stopLooking();
      stopListening();
    };
  }, [events, hud, isDone]);
  if (isDone) return null;
  const { skip, lessons } = ARENA_TEXT.firstLife;
  return (
    <HudPanel className={styles.guide}>
      <p role="status" className={styles.lesson}>
        {lessons[taught]({ split: keyNameOf('split'), opensIn })}
      </p>
      <span className={styles.dots} aria-hidden="true">
        {LESSONS.map((each) => (
          <i key={each} data-now={each === taught} />
        ))}
      </span>
      <Button size="sm" onClick={() => setDone(true)}>
        {skip}
      </Button>
    </HudPanel>
  );
}

function rememberedLesson(): Lesson {
  const stored = settings.read('guideLesson');
  return isLesson(stored) ? stored : LESSONS[0];
}
