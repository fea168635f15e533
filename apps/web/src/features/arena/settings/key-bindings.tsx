import { useState } from 'react';
import { settings, useSetting } from '../../../shared/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { ACTIONS, BINDABLE, conflictOf, keyNameOf } from '../input/actions.ts';
import { bindKey, keyNameOfCode } from '../input/bindings.ts';
import { ARENA_TEXT } from '../text.ts';
import styles from './settings-dialog.module.css';

const { settings: text } = ARENA_TEXT;

type Bindable = (typeof BINDABLE)[number];

/** A click on a key waits for the next one pressed. A key that is taken is refused, by name. */
export function KeyBindings() {
  const [stored] = useSetting('keyBindings');
  const [waiting, setWaiting] = useState<Bindable>();
  const [problem, setProblem] = useState<string>();

  const take = (name: Bindable, code: string) => {
    setWaiting(undefined);
    if (code === 'Escape') return;
    const other = conflictOf(name, code);
    if (other) setProblem(text.conflict(keyNameOfCode(code), ACTIONS[other].label));
    else bindKey(name, code);
  };

  return (
    <div className={styles.bindings}>
      {BINDABLE.map((name) => (
        <button
          key={name}
          type="button"
          className={styles.binding}
          data-waiting={waiting === name}
          title={text.bind}
          onClick={() => {
            setProblem(undefined);
            setWaiting(name);
          }}
          onBlur={() => setWaiting(undefined)}
          onKeyDown={(event) => {
            if (waiting !== name) return;
            event.preventDefault();
            event.stopPropagation();
            take(name, event.code);
          }}
        >
          <kbd>{waiting === name ? text.press : keyNameOf(name)}</kbd> {ACTIONS[name].label}
        </button>
      ))}
      {stored !== undefined && (
        <Button size="sm" onClick={() => settings.reset('keyBindings')}>
          {text.resetKeys}
        </Button>
      )}
      <p className={styles.problem} role="alert">
        {problem}
      </p>
    </div>
  );
}
