import type { User } from '@engulf/protocol/user';
import { CookingPot } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, Dot } from '../../ui/chip.tsx';
import { EmptyState, Panel, PanelHeader, SkeletonRows } from '../../ui/panel.tsx';
import { ChatComposer } from './chat-composer.tsx';
import styles from './chat-panel.module.css';
import { chatInput, useChatStore } from './chat-store.ts';
import { MessageList } from './message-list.tsx';

type ChatPanelProps = {
  user: User | null;
  /** What operators have switched. */
  isOpen: boolean;
  onSend: (text: string) => void;
  onConnect: () => void;
};

const LOOK_AGAIN_MS = 30_000;

/** The global chat: visitors read, players write. */
export function ChatPanel({ user, isOpen, onSend, onConnect }: ChatPanelProps) {
  const status = useChatStore((state) => state.status);
  const isLive = useChatStore((state) => state.isLive);
  useEffect(() => {
    if (status !== 'closed') return;
    const timer = setInterval(chatInput.retry, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [status]);

  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    chatInput.retry();
  }, [isOpen]);

  if (status === 'closed') return <ChatPlaceholder />;
  return (
    <Panel className={styles.panel} aria-label={TEXT.chat.title}>
      <PanelHeader title={TEXT.chat.title}>
        <Chip tone={isLive ? 'profit' : 'neutral'} icon={<Dot />}>
          {isLive ? TEXT.chat.live : TEXT.chat.offline}
        </Chip>
      </PanelHeader>
      {status === 'loading' && <SkeletonRows count={6} label={TEXT.loading} />}
      {status === 'failed' && (
        <EmptyState text={TEXT.chat.failed}>
          <Button size="sm" onClick={chatInput.retry}>
            {TEXT.tryAgain}
          </Button>
        </EmptyState>
      )}
      {status === 'ready' && <MessageList user={user} />}
      <ChatComposer isSignedIn={user !== null} onSend={onSend} onConnect={onConnect} />
    </Panel>
  );
}

/** While the chat is switched off. */
function ChatPlaceholder() {
  return (
    <Panel className={styles.panel} aria-label={TEXT.chat.title}>
      <PanelHeader title={TEXT.chat.title} />
      <div className={styles.cooking}>
        <CookingPot className={styles.pot} size={44} strokeWidth={1.75} />
        <p className={styles.cookingText}>{TEXT.chat.cooking}</p>
      </div>
    </Panel>
  );
}
