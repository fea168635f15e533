import { ERRORS } from '@engulf/domain/errors/registry';
import { CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import type { ChatStore } from './chat-store.ts';
import styles from './chat-window.module.css';

/** Why something was not sent, for a few seconds. */
export function ChatProblemBanner({ chat }: { chat: ChatStore }) {
  const problem = useStore(chat, (state) => state.problem);
  useEffect(() => {
    if (!problem) return;
    const timer = setTimeout(() => chat.setState({ problem: undefined }), problem.shownMs);
    return () => clearTimeout(timer);
  }, [chat, problem]);
  if (!problem) return null;
  return (
    <p className={styles.banner} role="alert">
      <CircleAlert size={15} strokeWidth={2.25} />
      <span>
        <b>{ERRORS.CHAT_NOT_SENT.title}</b> {problem.text}
      </span>
    </p>
  );
}
