import { countText, durationText } from '../../../shared/format.ts';
import { useRecords } from '../../../shared/records.ts';
import { ARENA_TEXT } from '../text.ts';
import type { Life } from './life-record.ts';
import styles from './record-line.module.css';

/** What the player's best life was, and whether this is it. The server may have counted this one already. */
export function RecordLine({ isFree, life }: { isFree: boolean; life: Life }) {
  const best = useRecords(isFree);
  if (!best || best.lives === 0) return null;
  const { records } = ARENA_TEXT;
  const isNew = best.lives > 1 && Math.floor(life.peakMass) >= best.bestMass;
  const mass = countText(Math.max(best.bestMass, Math.floor(life.peakMass)));
  const alive = durationText(Math.max(best.longestLifeSeconds * 1000, life.aliveMs));
  return (
    <p className={styles.record} data-new={isNew}>
      {isNew && <b>{records.isNew} </b>}
      {records.best({ mass, alive, eaten: Math.max(best.bestStreak, life.eaten), isFree })}
    </p>
  );
}
