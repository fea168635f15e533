import { formatExactAmount, parseAmount } from '@engulf/domain/money/amount';
import { MAX_U64 } from '@engulf/domain/money/u64';
import type { OwnLimits } from '@engulf/protocol/http/limits';
import { type FormEvent, useState } from 'react';
import { dateTimeText } from '../../shared/format.ts';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './limits-popup.module.css';

type DepositFormProps = {
  deposit: OwnLimits['deposits'][number];
  onSave: (limit: bigint | null) => Promise<void>;
};

/** The limit of one currency. */
export function DepositForm({ deposit, onSave }: DepositFormProps) {
  const { tokenSymbol, tokenDecimals, limit, pending, deposited } = deposit;
  const token = { symbol: tokenSymbol, decimals: tokenDecimals };
  const textOf = (units: string | null) => (units === null ? '' : formatExactAmount(BigInt(units), token));
  const [text, setText] = useState(textOf(limit));
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const save = async (wanted: bigint | null) => {
    setBusy(true);
    await onSave(wanted);
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = parseAmount(text.trim().replace(',', '.'), token);
    if (wanted === undefined || wanted > MAX_U64) setError(TEXT.limits.notANumber(tokenDecimals));
    else void save(wanted);
  };
  const notes = [TEXT.limits.paid(`${textOf(deposited)} ${tokenSymbol}`)];
  if (pending) {
    const next = pending.limit === null ? TEXT.limits.none : `${textOf(pending.limit)} ${tokenSymbol}`;
    notes.push(TEXT.limits.pending(next, dateTimeText(Date.parse(pending.from))));
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        className={styles.field}
        label={TEXT.limits.label(tokenSymbol)}
        placeholder={TEXT.limits.none}
        inputMode="decimal"
        hint={notes.join('. ')}
        error={error}
        value={text}
        disabled={isBusy}
        onChange={(event) => {
          setError(undefined);
          setText(event.target.value);
        }}
      />
      <span className={styles.unit}>{tokenSymbol}</span>
      <Button type="submit" isBusy={isBusy} disabled={text.trim() === ''}>
        {TEXT.limits.save}
      </Button>
      {limit !== null && (
        <Button variant="outline" disabled={isBusy} onClick={() => void save(null)}>
          {TEXT.limits.remove}
        </Button>
      )}
    </form>
  );
}
