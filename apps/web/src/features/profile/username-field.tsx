import { USERNAME_LIMITS } from '@engulf/domain/ids/username';
import { renameProfile } from '@engulf/protocol/user';
import { Pencil } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { rename } from './rename.ts';
import styles from './username-field.module.css';

const AUTO_SAVE_AFTER_MS = 2_000;

type UsernameFieldProps = { name: string; onRenamed: (name: string) => void };

/** The name as a heading; edited in place, it saves itself when the typing stops. */
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
      maxLength={USERNAME_LIMITS.maxLength}
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
