import { useEffect, useState } from 'react';
import { useSetting } from '../../../shared/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { keyNameOf } from '../input/actions.ts';
import type { ArenaEvents } from '../net/events.ts';
import { ARENA_TEXT } from '../text.ts';
import { isLearned, LESSON_MS, LESSONS, type Lesson, lessonAfter } from './first-life.ts';
import styles from './first-life-guide.module.css';
import { HudPanel } from './panel.tsx';

/** Shown once per browser. */
export function FirstLifeGuide({ events }: { events: ArenaEvents }) {
  const [isDone, setDone] = useSetting('hasPlayedBefore');
  const [lesson, setLesson] = useState<Lesson>(LESSONS[0]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: setDone is new in every render and always the same.
  useEffect(() => {
    if (isDone) return;
    const goOn = () => {
      const next = lessonAfter(lesson);
      if (next) setLesson(next);
      else setDone(true);
    };
    const timer = setTimeout(goOn, LESSON_MS[lesson]);
    const stop = events.subscribe((event) => isLearned(lesson, event) && goOn());
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [events, lesson, isDone]);
  if (isDone) return null;
  const { skip, lessons } = ARENA_TEXT.firstLife;
  return (
    <HudPanel className={styles.guide}>
      <p role="status" className={styles.lesson}>
        {lessons[lesson]({ split: keyNameOf('split'), eject: keyNameOf('eject') })}
      </p>
      <span className={styles.dots} aria-hidden="true">
        {LESSONS.map((each) => (
          <i key={each} data-now={each === lesson} />
        ))}
      </span>
      <Button size="sm" onClick={() => setDone(true)}>
        {skip}
      </Button>
    </HudPanel>
  );
}
