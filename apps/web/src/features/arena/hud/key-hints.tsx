import { Mouse } from 'lucide-react';
import { KeyHint } from '../../../ui/chip.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './key-hints.module.css';
import { HudPanel } from './panel.tsx';

const { keys } = ARENA_TEXT;

export function KeyHints({ isSpectator }: { isSpectator: boolean }) {
  const hints = isSpectator
    ? [keys.topPlayer, keys.randomPlayer, keys.reset, keys.pan]
    : [keys.eject, keys.split, keys.leaderboard];
  return (
    <HudPanel className={styles.hints}>
      {hints.map(({ key, action }) => (
        <KeyHint key={action} keyName={key} action={action} />
      ))}
      {isSpectator && (
        <span className={styles.wheel}>
          <Mouse strokeWidth={2.25} />
          {keys.zoom}
        </span>
      )}
    </HudPanel>
  );
}
