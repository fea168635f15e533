import { BREAK_DAYS } from '@engulf/domain/limits/deposit-limit';
import { type FormEvent, useState } from 'react';
import { dateTimeText } from '../../shared/format.ts';
import { serverNowMs } from '../../shared/server-clock.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './limits-popup.module.css';

const DAY_MS = 24 * 3_600_000;

type BreakFormProps = { breakUntil: string | null; onStart: (days: number) => Promise<void> };

/** Asks twice, because a break cannot be taken back. */
export function BreakForm({ breakUntil, onStart }: BreakFormProps) {
  const [text, setText] = useState('');
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const days = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  const isValid = days >= BREAK_DAYS.min && days <= BREAK_DAYS.max;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isAsking) {
      setAsking(true);
      return;
    }
    setBusy(true);
    await onStart(days);
    setBusy(false);
    setAsking(false);
  };
  return (
    <>
      {breakUntil !== null && (
        <p className={styles.running} role="status">
          {TEXT.limits.running(dateTimeText(Date.parse(breakUntil)))}
        </p>
      )}
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          className={styles.field}
          label={TEXT.limits.days}
          placeholder={TEXT.limits.days}
          inputMode="numeric"
          hint={TEXT.limits.daysHint}
          value={text}
          maxLength={2}
          disabled={isBusy}
          onChange={(event) => {
            setAsking(false);
            setText(event.target.value.trim());
          }}
        />
        <Button type="submit" variant={isAsking ? 'danger' : 'neutral'} isBusy={isBusy} disabled={!isValid}>
          {isAsking ? TEXT.limits.confirm(days) : TEXT.limits.start}
        </Button>
        {isAsking && <Button onClick={() => setAsking(false)}>{TEXT.cancel}</Button>}
      </form>
      {isAsking && (
        <p className={styles.note} role="alert">
          {TEXT.limits.sure(dateTimeText(serverNowMs() + days * DAY_MS))}
        </p>
      )}
    </>
  );
}
