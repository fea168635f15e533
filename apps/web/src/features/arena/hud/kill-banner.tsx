import { useEffect, useState } from 'react';
import { useCellColours } from '../../../art/cell-colours.ts';
import { EOSIN } from '../../../art/palette.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import styles from './kill-banner.module.css';

/** A kill is kept a little longer than its banner plays. */
const KEPT_MS = 4_000;

type KillBannerProps = { own: { name: string; avatarUrl: string | null }; unit: string };

/** A new kill replaces the last one. */
export function KillBanner({ own, unit }: KillBannerProps) {
  const kill = useHud((hud) => hud.kill);
  const [shownId, setShownId] = useState<number>();
  const id = kill?.id;
  const colours = useCellColours();

  useEffect(() => {
    if (id === undefined) return;
    setShownId(id);
    const timer = setTimeout(() => setShownId(undefined), KEPT_MS);
    return () => clearTimeout(timer);
  }, [id]);

  if (!kill || shownId !== kill.id) return null;
  return (
    <div key={kill.id} className={styles.banner} role="status">
      <div className={styles.portraits}>
        <Avatar className={styles.killer} name={own.name} url={own.avatarUrl} ring={EOSIN[0]} />
        <Avatar
          className={styles.victim}
          name={kill.victim}
          url={kill.face?.avatarUrl ?? null}
          ring={kill.face && colours[kill.face.colour]?.[0]}
        />
      </div>
      <div className={styles.words}>
        <div className={styles.word} style={{ color: `var(--${kill.colour})` }}>
          {kill.word}
        </div>
        <span className={styles.spoils}>{ARENA_TEXT.kill(`+${kill.amount} ${unit}`, kill.victim)}</span>
      </div>
    </div>
  );
}
