import { useEffect, useState } from 'react';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { Button } from '../../../ui/button.tsx';
import type { ArenaVisit } from '../arena-visit.ts';
import { ARENA_TEXT } from '../text.ts';
import styles from './way-back.module.css';

const USUAL_MS = 5_000;

/** Out of a game that is still loading: joining may be retried for most of a minute. Nothing is lost by leaving then. */
export function WayBack({ visit, onBack }: { visit: ArenaVisit; onBack: () => void }) {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), USUAL_MS);
    return () => clearTimeout(timer);
  }, []);
  // A body that already is in the arena waits for ten seconds only.
  const isSeatKept = visit.type === 'player' && !visit.isReturn && !isFreeLobby(visit.lobby);
  return (
    <div role="status">
      {isSlow && (
        <div className={styles.way}>
          {isSeatKept && <p className={styles.text}>{ARENA_TEXT.loading.seatKept}</p>}
          <Button onClick={onBack}>{ARENA_TEXT.back}</Button>
        </div>
      )}
    </div>
  );
}
