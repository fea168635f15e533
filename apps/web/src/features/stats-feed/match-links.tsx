import { Play, ShieldCheck } from 'lucide-react';
import { TEXT } from '../../shared/text.ts';
import styles from './match-links.module.css';

type MatchLinksProps = {
  matchId: string | null;
  /** Whose eyes to see it through. */
  entryId: string;
  onVerify: (matchId: string) => void;
};

/** To watch the match of a row again, and to check it. */
export function MatchLinks({ matchId, entryId, onVerify }: MatchLinksProps) {
  if (matchId === null) return <span className={styles.none}>{TEXT.nothing}</span>;
  return (
    <span className={styles.links}>
      <a className={styles.link} title={TEXT.statsFeed.watch} href={`/replay/${matchId}?player=${entryId}`}>
        <Play size={14} strokeWidth={2.25} />
        <span>{TEXT.statsFeed.watch}</span>
      </a>
      <button
        type="button"
        className={styles.link}
        title={TEXT.statsFeed.verify}
        onClick={() => onVerify(matchId)}
      >
        <ShieldCheck size={14} strokeWidth={2.25} />
        <span>{TEXT.statsFeed.verify}</span>
      </button>
    </span>
  );
}
