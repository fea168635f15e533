import { LINKS } from '../../../shared/links.ts';
import { ARENA_TEXT } from '../text.ts';
import styles from './disconnected-popup.module.css';

export function RefundNote() {
  const { note, docs } = ARENA_TEXT.disconnected;
  return (
    <p className={styles.note}>
      {note}{' '}
      {LINKS.docs !== undefined && (
        <a className={styles.docs} href={LINKS.docs} target="_blank" rel="noreferrer">
          {docs}
        </a>
      )}
    </p>
  );
}
