import { CHAT_LIMITS, cleanChatMessage } from '@engulf/domain/chat/chat-text';
import { ERRORS } from '@engulf/domain/errors/registry';
import { CircleAlert, SendHorizontal, Wallet } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { TEXT } from '../../shared/text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './chat-composer.module.css';
import { chatInput, useChatStore } from './chat-store.ts';

const ERROR_SHOWN_MS = 5_000;
const COUNT_FROM = 150;

type ChatComposerProps = { isSignedIn: boolean; onSend: (text: string) => void; onConnect: () => void };

export function ChatComposer({ isSignedIn, onSend, onConnect }: ChatComposerProps) {
  return (
    <div className={styles.composer}>
      <ErrorBanner />
      {isSignedIn ? (
        <Draft onSend={onSend} />
      ) : (
        <Button className={styles.connect} icon={<Wallet />} onClick={onConnect}>
          {TEXT.chat.connect}
        </Button>
      )}
    </div>
  );
}

function Draft({ onSend }: Pick<ChatComposerProps, 'onSend'>) {
  const [draft, setDraft] = useState('');
  const sent = useRef('');
  const error = useChatStore((state) => state.error);
  // A refused message stays in the field.
  useEffect(() => {
    if (error) setDraft((current) => (current === '' ? sent.current : current));
  }, [error]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!cleanChatMessage(draft).ok) return;
    sent.current = draft;
    onSend(draft);
    setDraft('');
  };
  const isNearLimit = draft.length >= COUNT_FROM;
  return (
    <form className={styles.draft} onSubmit={submit}>
      <div className={styles.field}>
        <input
          className={styles.input}
          aria-label={TEXT.chat.write}
          placeholder={TEXT.chat.placeholder}
          value={draft}
          maxLength={CHAT_LIMITS.maxLength}
          autoComplete="off"
          onChange={(event) => setDraft(event.target.value)}
        />
        {isNearLimit && (
          <span className={styles.count} role="status" data-full={draft.length === CHAT_LIMITS.maxLength}>
            {draft.length}/{CHAT_LIMITS.maxLength}
          </span>
        )}
      </div>
      <IconButton type="submit" label={TEXT.chat.send} icon={<SendHorizontal />} />
    </form>
  );
}

function ErrorBanner() {
  const error = useChatStore((state) => state.error);
  useEffect(() => {
    if (!error) return;
    const timer = setTimeout(chatInput.errorSeen, ERROR_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [error]);
  if (!error) return null;
  return (
    <p className={styles.banner} role="alert">
      <CircleAlert size={16} strokeWidth={2.25} />
      <span>
        <b>{ERRORS.CHAT_NOT_SENT.title}</b> {error.reason}
      </span>
    </p>
  );
}
