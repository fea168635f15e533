import { ChevronDown, ChevronUp, Lock, Smile } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useSetting } from '../../../shared/settings.ts';
import { classNames } from '../../../ui/class-names.ts';
import { keyNameOf } from '../input/actions.ts';
import { ARENA_TEXT } from '../text.ts';
import { ChatDraft, type DraftHandle } from './chat-draft.tsx';
import { ChatLines } from './chat-lines.tsx';
import { ChatProblemBanner } from './chat-problem.tsx';
import type { ChatStore } from './chat-store.ts';
import styles from './chat-window.module.css';
import { EmojiPicker } from './emoji-picker.tsx';
import type { ChatMessage } from './read-draft.ts';

const { chat: text } = ARENA_TEXT;

export type ChatWindowProps = {
  chat: ChatStore;
  /** Spectators read; admins among them give commands. */
  isPlayer: boolean;
  isAdmin: boolean;
  /** Where the page finds the field, to put the cursor into it. */
  draftRef: { current: DraftHandle | null };
  /** Returns whether it was sent. */
  onSend: (...message: ChatMessage) => boolean;
};

/** The chat of the room, in the corner. */
export function ChatWindow({ chat, isPlayer, isAdmin, draftRef, onSend }: ChatWindowProps) {
  const lines = useStore(chat, (state) => state.lines);
  const [isOpen, setOpen] = useSetting('isChatOpen');
  // The player may choose another key at any time.
  useSetting('keyBindings');
  const [isPicking, setPicking] = useState(false);
  const lastKey = lines.at(-1)?.key;
  const seenKey = useRef(lastKey);
  if (isOpen) seenKey.current = lastKey;
  const isWriter = isPlayer || isAdmin;
  const pick = () => setPicking((was) => !was);
  const stopPicking = () => {
    setPicking(false);
    draftRef.current?.focus();
  };
  return (
    <section className={styles.window} aria-label={text.label}>
      <header className={styles.header}>
        <h3 className={styles.title}>{text.title(lines.length)}</h3>
        {!isOpen && seenKey.current !== lastKey && <i className={styles.unread} title={text.unread} />}
        <kbd className={styles.key}>{keyNameOf('chat')}</kbd>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-label={isOpen ? text.collapse : text.expand}
          onClick={(event) => {
            setOpen(!isOpen);
            // Space splits; a focused button would be pressed instead.
            event.currentTarget.blur();
          }}
        >
          {isOpen ? <ChevronDown /> : <ChevronUp />}
        </button>
      </header>
      {isOpen && (
        <>
          <ChatLines lines={lines} />
          <div className={styles.write}>
            <ChatProblemBanner chat={chat} />
            {isPicking && (
              <EmojiPicker
                onPick={(emoji) => {
                  draftRef.current?.insert(emoji);
                  stopPicking();
                }}
                onClose={stopPicking}
              />
            )}
            {isWriter ? (
              <ChatDraft chat={chat} ref={draftRef} isPlayer={isPlayer} isAdmin={isAdmin} onSend={onSend}>
                <EmojiButton isOpen={isPicking} onClick={pick} />
              </ChatDraft>
            ) : (
              <p className={styles.readOnly}>{text.readOnly}</p>
            )}
          </div>
          {isPlayer && (
            <section className={styles.lobbyChat} aria-label={text.lobbyChat}>
              <Lock size={14} strokeWidth={2.25} />
              {text.lobbyChat}
              <EmojiButton isOpen={isPicking} isFaint onClick={pick} />
            </section>
          )}
        </>
      )}
    </section>
  );
}

type EmojiButtonProps = { isOpen: boolean; isFaint?: boolean; onClick: () => void };

function EmojiButton({ isOpen, isFaint = false, onClick }: EmojiButtonProps) {
  return (
    <button
      type="button"
      className={classNames(styles.smile, isFaint && styles.faint)}
      aria-label={text.emoji}
      aria-expanded={isOpen}
      onClick={onClick}
    >
      <Smile size={18} strokeWidth={2.25} />
    </button>
  );
}
