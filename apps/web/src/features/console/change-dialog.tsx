import type { AnswerOf } from '@engulf/protocol/http/call';
import { type ConsoleAction, showConsoleChange, signConsoleChange } from '@engulf/protocol/http/console';
import { type FormEvent, useId, useState } from 'react';
import { callApi, describeApiFailure } from '../../shared/api/call-api.ts';
import { Button } from '../../ui/button.tsx';
import { Popup, PopupActions, PopupLead } from '../../ui/popup.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { showToast } from '../../ui/toast.tsx';
import styles from './change-dialog.module.css';
import { CONSOLE_TEXT } from './text.ts';

const TEXT = CONSOLE_TEXT.change;
/** A change of a price waits for the chain, and for those who are paying. */
const MADE_WITHIN_MS = 10 * 60_000;

type ChangeDialogProps = {
  action: ConsoleAction;
  /** Signs with the wallet of the operator; throws why it does not. */
  sign: (text: string) => Promise<string>;
  onClose: () => void;
  onDone: () => void;
};

/** Asks why, shows what would change, and has it signed. */
export function ChangeDialog({ action, sign, onClose, onDone }: ChangeDialogProps) {
  const [reason, setReason] = useState('');
  const [answers, setAnswers] = useState(() => action.asks.map(({ value }) => value));
  const [shown, setShown] = useState<AnswerOf<typeof showConsoleChange>>();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const run = async (work: () => Promise<string | undefined>) => {
    setBusy(true);
    setError(await work());
    setBusy(false);
  };
  const show = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const answer = await callApi(showConsoleChange, { body: { ...changeOf(action, answers), reason } });
      if (!answer.ok) return describeApiFailure(answer.error).text;
      setShown(answer.value);
      return undefined;
    });
  };
  const make = () =>
    run(async () => {
      const { nonce, text } = shown!;
      const signature = await sign(text).catch((thrown: unknown) => thrown as Error);
      if (typeof signature !== 'string') return signature.message || TEXT.notSigned;
      const body = { nonce, signature };
      const answer = await callApi(signConsoleChange, { body, withinMs: MADE_WITHIN_MS });
      if (!answer.ok) {
        setShown(undefined);
        return describeApiFailure(answer.error).text;
      }
      showToast('profit', { title: TEXT.done, text: answer.value.reports.at(-1) ?? shown!.lines[0] });
      onDone();
      return undefined;
    });

  return (
    <Popup title={action.label} isOpen onClose={onClose} isClosable={!isBusy} size="lg">
      <PopupLead>{action.command}</PopupLead>
      {shown ? (
        <>
          <h3 className={styles.label}>{TEXT.whatChanges}</h3>
          <ul className={styles.lines}>
            {shown.lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <h3 className={styles.label}>{TEXT.whatIsSigned}</h3>
          <pre className={styles.text}>{shown.text}</pre>
          <Refused text={error} />
          <PopupActions>
            <Button disabled={isBusy} onClick={() => setShown(undefined)}>
              {TEXT.back}
            </Button>
            <Button variant="primary" isBusy={isBusy} autoFocus onClick={() => void make()}>
              {TEXT.sign}
            </Button>
          </PopupActions>
        </>
      ) : (
        <form className={styles.form} onSubmit={show}>
          {action.asks.map(({ name, label }, index) => (
            <Labelled
              key={name}
              label={label}
              value={answers[index]!}
              onChange={(value) => setAnswers(answers.with(index, value))}
            />
          ))}
          <Labelled label={TEXT.reason} hint={TEXT.reasonHint} value={reason} onChange={setReason} isFirst />
          <Refused text={error} />
          <PopupActions>
            <Button onClick={onClose}>{TEXT.cancel}</Button>
            <Button variant="primary" type="submit" isBusy={isBusy} disabled={reason.trim().length < 3}>
              {TEXT.show}
            </Button>
          </PopupActions>
        </form>
      )}
    </Popup>
  );
}

function changeOf({ command, positionals, options, asks }: ConsoleAction, answers: readonly string[]) {
  const typed = asks.map(({ name }, index) => [name, answers[index]!.trim()] as const);
  return {
    command,
    positionals: [...positionals, ...typed.filter(([name]) => name === '+').map(([, value]) => value)],
    options: { ...options, ...Object.fromEntries(typed.filter(([name]) => name !== '+')) },
  };
}

type LabelledProps = {
  label: string;
  hint?: string;
  value: string;
  onChange: (value: string) => void;
  isFirst?: boolean;
};

function Labelled({ label, hint, value, onChange, isFirst = false }: LabelledProps) {
  const id = useId();
  return (
    <div>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <TextField
        id={id}
        label={label}
        hint={hint}
        value={value}
        autoFocus={isFirst}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}

function Refused({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p className={styles.refused} role="alert">
      {text}
    </p>
  );
}
