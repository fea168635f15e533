import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { VERIFY_TEXT } from './text.ts';
import styles from './verify-dialog.module.css';

type NodeFieldProps = { action: string; isBusy?: boolean; onAsk: (rpcUrl: string | undefined) => void };

/** Asks again, by another node if one is named. */
export function NodeField({ action, isBusy = false, onAsk }: NodeFieldProps) {
  const [url, setUrl] = useState('');
  const [isRefused, setRefused] = useState(false);
  const ask = (event: FormEvent) => {
    event.preventDefault();
    const isGiven = url.trim() !== '';
    const isRight = !isGiven || isNodeUrl(url.trim());
    setRefused(!isRight);
    if (isRight) onAsk(isGiven ? url.trim() : undefined);
  };
  return (
    <form className={styles.node} onSubmit={ask}>
      <TextField
        className={styles.nodeUrl}
        label={VERIFY_TEXT.node.label}
        placeholder={VERIFY_TEXT.node.placeholder}
        hint={VERIFY_TEXT.node.hint}
        error={isRefused ? VERIFY_TEXT.node.invalid : undefined}
        value={url}
        onChange={({ target }) => setUrl(target.value)}
      />
      <Button size="sm" type="submit" isBusy={isBusy}>
        {action}
      </Button>
    </form>
  );
}

/** A node on this machine needs no https. */
function isNodeUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url) return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname))
  );
}
