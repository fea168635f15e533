import { useEffect, useState } from 'react';
import { PLAYER_COLOURS } from '../../../art/player-colour.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { ARENA_TEXT } from '../text.ts';
import { KILL_BANNER } from './hud-events.ts';
import { useHud } from './hud-store.ts';
import styles from './kill-banner.module.css';

type KillBannerProps = { own: { name: string; avatarUrl: string | null }; unit: string };

/** The word for what was just done to somebody. A new kill replaces the last. */
export function KillBanner({ own, unit }: KillBannerProps) {
  const kill = useHud((hud) => hud.kill);
  const [shownId, setShownId] = useState<number>();
  const id = kill?.id;

  useEffect(() => {
    if (id === undefined) return;
    setShownId(id);
    const timer = setTimeout(() => setShownId(undefined), KILL_BANNER.keptMs);
    return () => clearTimeout(timer);
  }, [id]);

  if (!kill || shownId !== kill.id) return null;
  return (
    <div key={kill.id} className={styles.banner} role="status">
      <div className={styles.portraits}>
        <Avatar className={styles.killer} name={own.name} url={own.avatarUrl} ring={PLAYER_COLOURS[0][0]} />
        <Avatar className={styles.victim} name={kill.victim} url={null} ring={PLAYER_COLOURS[3][0]} />
      </div>
      <div className={styles.words}>
        <div className={styles.word} style={{ color: `var(--${kill.word.colour})` }}>
          {kill.word.word}
        </div>
        <span className={styles.spoils}>{ARENA_TEXT.kill(`+${kill.amount} ${unit}`, kill.victim)}</span>
      </div>
    </div>
  );
}
