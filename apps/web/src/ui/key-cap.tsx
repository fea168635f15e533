import styles from './key-cap.module.css';

/** One key of the keyboard and what it does. */
export function KeyHint({ keyName, action }: { keyName: string; action: string }) {
  return (
    <span className={styles.hint}>
      <kbd className={styles.key} data-wide={keyName.length > 3}>
        {keyName}
      </kbd>
      {action}
    </span>
  );
}
