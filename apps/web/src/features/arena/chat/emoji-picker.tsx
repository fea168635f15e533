import { type KeyboardEvent, useEffect, useRef } from 'react';
import { ARENA_TEXT } from '../text.ts';
import { EMOJI } from './emoji.ts';
import styles from './emoji-picker.module.css';

const COLUMNS = 8;
const STEPS: { readonly [key: string]: number } = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -COLUMNS,
  ArrowDown: COLUMNS,
};

type EmojiPickerProps = { onPick: (emoji: string) => void; onClose: () => void };

/** A small grid. The arrow keys walk through it. */
export function EmojiPicker({ onPick, onClose }: EmojiPickerProps) {
  const grid = useRef<HTMLFieldSetElement>(null);
  useEffect(() => grid.current?.querySelector('button')?.focus(), []);
  const onKeyDown = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    if (event.key === 'Escape') onClose();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll('button')];
    buttons[buttons.indexOf(document.activeElement as HTMLButtonElement) + step]?.focus();
  };
  return (
    <fieldset ref={grid} className={styles.grid} aria-label={ARENA_TEXT.chat.emoji} onKeyDown={onKeyDown}>
      {EMOJI.map(([emoji, name]) => (
        <button
          key={emoji}
          type="button"
          className={styles.emoji}
          aria-label={name}
          onClick={() => onPick(emoji)}
        >
          {emoji}
        </button>
      ))}
    </fieldset>
  );
}
