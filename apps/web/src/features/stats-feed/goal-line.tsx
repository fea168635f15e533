import { FRAME_DAYS, FRAMES, frameFor } from '@engulf/domain/profile/daily-goal';
import type { GoalState } from '@engulf/protocol/http/dashboard';
import { TEXT } from '../../shared/text.ts';
import styles from './goal-line.module.css';

/** What there is to do in free lobbies today, and what the days so far have brought. */
export function GoalLine({ goal }: { goal: GoalState }) {
  const { kind, target, progress, goalDays } = goal;
  const { title, today, kinds, progressOf, reached, frames, next } = TEXT.statsFeed.goal;
  const isReached = progress >= target;
  const frame = frameFor(goalDays);
  const following = FRAMES[FRAMES.indexOf(frame) + 1];
  return (
    <section className={styles.goal} aria-label={title} data-reached={isReached}>
      <p>
        <b>{today}:</b> {kinds[kind](target)},{' '}
        <span className={styles.progress}>
          {isReached ? reached : progressOf(progress, target, kind === 'seconds' ? ' s' : '')}
        </span>
      </p>
      <p className={styles.frame}>
        {following ? next(FRAME_DAYS[following] - goalDays, frames[following]) : frames[frame]}
      </p>
    </section>
  );
}
