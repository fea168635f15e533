import { Crown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSetting } from '../../../shared/settings.ts';
import type { ArenaEvents } from '../net/events.ts';
import { ARENA_TEXT } from '../text.ts';
import styles from './cheer-line.module.css';
import { type Cheer, createCheering } from './cheers.ts';
import { useHudStore } from './hud-store.ts';

const SHOWN_MS = 2_200;

/** Below the figures at the top, where the own cell never is. */
export function CheerLine({ events }: { events: ArenaEvents }) {
  const [isOn] = useSetting('showCheers');
  const hud = useHudStore();
  const [shown, setShown] = useState<Cheer>();
  useEffect(() => {
    if (!isOn) return;
    const cheering = createCheering();
    let timer: ReturnType<typeof setTimeout>;
    const show = (cheer: Cheer | undefined) => {
      if (!cheer) return;
      clearTimeout(timer);
      setShown(cheer);
      timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    };
    const stopMass = hud.subscribe(({ sight }) => {
      if (sight.mass !== undefined) show(cheering.noteMass(sight.mass));
    });
    const stopEvents = events.subscribe((event) => {
      if (event.type === 'personalRank') show(cheering.noteRank(event.payload.rank));
      if (event.type === 'KO') show(cheering.noteKill(performance.now()));
      if (event.type === 'gameOver') setShown(undefined);
    });
    return () => {
      clearTimeout(timer);
      stopMass();
      stopEvents();
      setShown(undefined);
    };
  }, [events, hud, isOn]);
  if (!shown) return null;
  return (
    <p className={styles.cheer} role="status">
      {shown.kind === 'first' && <Crown />}
      {textOf(shown)}
    </p>
  );
}

function textOf(cheer: Cheer): string {
  const { cheers } = ARENA_TEXT;
  switch (cheer.kind) {
    case 'first':
      return cheers.first;
    case 'rank':
      return cheers.rank(cheer.rank);
    case 'mass':
      return cheers.mass(cheer.mass);
    case 'streak':
      return cheers.streak(cheer.kills);
  }
}
