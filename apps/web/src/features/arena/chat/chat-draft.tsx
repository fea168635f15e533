import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { describeFailure, failure } from '@engulf/domain/errors/registry';
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useStore } from 'zustand';
import { ARENA_TEXT } from '../text.ts';
import { type ChatStore, showProblem } from './chat-store.ts';
import styles from './chat-window.module.css';
import { type ChatMessage, readDraft } from './read-draft.ts';

const { chat: text } = ARENA_TEXT;
const COUNT_FROM = 150;

export type DraftHandle = { focus(): void; insert(emoji: string): void };

type ChatDraftProps = {
  chat: ChatStore;
  ref: Ref<DraftHandle>;
  isPlayer: boolean;
  isAdmin: boolean;
  /** Returns whether it was sent. */
  onSend: (...message: ChatMessage) => boolean;
  children: ReactNode;
};

/** The field to write into. Enter sends and gives the keys back to the game, and so does Escape. */
export function ChatDraft({ chat, ref, isPlayer, isAdmin, onSend, children }: ChatDraftProps) {
  const [draft, setDraft] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef('');
  const problem = useStore(chat, (state) => state.problem);
  // A refused message stays in the field.
  useEffect(() => {
    if (problem) setDraft((current) => (current === '' ? sent.current : current));
  }, [problem]);
  useImperativeHandle(ref, () => ({
    focus: () => input.current?.focus(),
    insert: (emoji) => setDraft((current) => fitting(current, emoji, input.current?.selectionStart)),
  }));

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const message = readDraft(draft, isAdmin);
    if (!message.ok) {
      showProblem(chat, describeFailure(message.error).text, 'format');
      return;
    }
    if (message.value) {
      sent.current = draft;
      chat.setState({ problem: undefined });
      if (!onSend(...message.value)) {
        showProblem(chat, describeFailure(failure('CHAT_NOT_SENT')).text, 'refused');
        return;
      }
      // Commands are not answered.
      chat.setState({ isUnderWay: message.value[0] !== 'admin' });
    }
    setDraft('');
    input.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') input.current?.blur();
  };
  return (
    <form className={styles.draft} onSubmit={submit}>
      <input
        ref={input}
        className={styles.input}
        aria-label={text.write}
        placeholder={isPlayer ? text.placeholder : text.commands}
        value={draft}
        maxLength={CHAT_LIMITS.maxLength}
        autoComplete="off"
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {draft.length >= COUNT_FROM && (
        <span className={styles.count} role="status">
          {draft.length}/{CHAT_LIMITS.maxLength}
        </span>
      )}
      {children}
    </form>
  );
}

/** The emoji where the cursor is, if there is room for it. */
function fitting(draft: string, emoji: string, cursor: number | null | undefined): string {
  const at = cursor ?? draft.length;
  const next = draft.slice(0, at) + emoji + draft.slice(at);
  return next.length <= CHAT_LIMITS.maxLength ? next : draft;
}
