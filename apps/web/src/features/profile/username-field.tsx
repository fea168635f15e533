import { describeFailure, ERRORS } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { validateUsername } from '@engulf/domain/ids/username';
import type { AnswerOf } from '@engulf/protocol/http/call';
import { renameProfile } from '@engulf/protocol/user';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { type ApiFailure, callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';
import styles from './username-field.module.css';

const AUTO_SAVE_AFTER_MS = 2_000;

type UsernameFieldProps = { name: string; onRenamed: (name: string) => void };

/** The name as a heading, edited in place and saved when the typing stops. */
export function UsernameField({ name, onRenamed }: UsernameFieldProps) {
  const [draft, setDraft] = useState<string>();
  const isSaving = useRef(false);

  const save = async (text: string) => {
    if (isSaving.current) return;
    isSaving.current = true;
    const result = await rename(name, text, (next) => callApi(renameProfile, { body: { name: next } }));
    isSaving.current = false;
    setDraft(undefined);
    if (!result.ok) {
      showToast('danger', result.error);
      return;
    }
    if (result.value === undefined) return;
    onRenamed(result.value);
    showToast('profit', {
      title: TEXT.profile.usernameUpdated,
      text: TEXT.profile.youAreNow(result.value),
    });
  };

  const latestSave = useRef(save);
  latestSave.current = save;
  useEffect(() => {
    if (draft === undefined || draft === name) return;
    const timer = setTimeout(() => void latestSave.current(draft), AUTO_SAVE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [draft, name]);

  if (draft === undefined) {
    return (
      <h1 className={styles.heading}>
        <span className={styles.text}>{name}</span>
        <button
          type="button"
          className={styles.edit}
          aria-label={TEXT.profile.editUsername}
          title={TEXT.profile.editUsername}
          onClick={() => setDraft(name)}
        >
          <Pencil size={18} strokeWidth={2.25} />
        </button>
      </h1>
    );
  }
  return (
    <input
      className={styles.input}
      aria-label={TEXT.profile.username}
      title={TEXT.profile.usernameHint}
      value={draft}
      autoComplete="off"
      spellCheck={false}
      ref={(input) => {
        if (input && document.activeElement !== input) input.select();
      }}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => void save(draft)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') void save(draft);
        if (event.key === 'Escape') setDraft(undefined);
      }}
    />
  );
}

type Notice = { readonly title: string; readonly text: string };
type Save = (name: string) => Promise<Result<AnswerOf<typeof renameProfile>, ApiFailure>>;

/** Returns the new name, or undefined if it did not change. Profanity is checked by the server. */
export async function rename(
  current: string,
  draft: string,
  save: Save,
): Promise<Result<string | undefined, Notice>> {
  if (draft.trim() === current) return ok(undefined);
  const name = validateUsername(draft, () => []);
  if (!name.ok) {
    const { title, text } = describeFailure(name.error);
    return err({ title, text });
  }
  const answer = await save(name.value);
  if (answer.ok) return ok(answer.value.newValue);
  const { code, message } = answer.error;
  const known = code in ERRORS ? ERRORS[code as keyof typeof ERRORS] : ERRORS.PROFILE_UPDATE_FAILED;
  return err({ title: known.title, text: message || ERRORS.PROFILE_UPDATE_FAILED.text });
}
