import { type ChatMessage, removeChatMessage } from '@engulf/protocol/chat';
import type { User } from '@engulf/protocol/user';
import { Megaphone, Trash2 } from 'lucide-react';
import { memo } from 'react';
import { playerColours } from '../../art/palette.ts';
import { callApi } from '../../shared/api/call-api.ts';
import { localTimeText } from '../../shared/format.ts';
import { TEXT } from '../../shared/text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './chat-row.module.css';
import { chatInput } from './chat-store.ts';

type ChatRowProps = {
  message: ChatMessage;
  /** The reader, in a line of their own: what they are called and look like may have changed since. */
  self: User | undefined;
  isAdmin: boolean;
};

/** Texts are shown as they are: nothing in them can be clicked. */
export const ChatRow = memo(function ChatRow({ message, self, isAdmin }: ChatRowProps) {
  const remove = isAdmin && <RemoveButton id={message.id} />;
  if (message.type === 'system') {
    return (
      <div className={classNames(styles.row, styles.system)}>
        <Megaphone className={styles.horn} size={16} strokeWidth={2.25} />
        <p className={styles.text}>{message.message}</p>
        {remove}
      </div>
    );
  }
  const name = self?.name ?? message.sender;
  const [fill, membrane] = playerColours(message.user_id ?? '');
  return (
    <div className={styles.row}>
      <Avatar
        className={styles.avatar}
        name={name}
        url={self ? self.avatarUrl : message.avatarUrl}
        ring={self ? 'var(--eosin)' : undefined}
      />
      <div className={styles.body}>
        <div className={styles.head}>
          <b
            className={styles.sender}
            style={self ? undefined : { ['--fill' as string]: fill, ['--membrane' as string]: membrane }}
          >
            {name}
          </b>
          {self && <span className={styles.you}>{TEXT.chat.you}</span>}
          <time className={styles.time} dateTime={new Date(message.timestamp).toISOString()}>
            {localTimeText(message.timestamp)}
          </time>
        </div>
        <p className={styles.text}>{message.message}</p>
      </div>
      {remove}
    </div>
  );
});

function RemoveButton({ id }: { id: string }) {
  const remove = async () => {
    const removed = await callApi(removeChatMessage, { body: { id } });
    if (!removed.ok) chatInput.refused(removed.error.message);
  };
  return (
    <button
      type="button"
      className={styles.remove}
      aria-label={TEXT.chat.remove}
      title={TEXT.chat.remove}
      onClick={() => void remove()}
    >
      <Trash2 size={14} strokeWidth={2.25} />
    </button>
  );
}
