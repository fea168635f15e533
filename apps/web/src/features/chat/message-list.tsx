import type { User } from '@engulf/protocol/user';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { TEXT } from '../../shared/text.ts';
import { EmptyState } from '../../ui/panel.tsx';
import { ChatRow } from './chat-row.tsx';
import { chatInput, useChatStore } from './chat-store.ts';
import styles from './message-list.module.css';

const LOAD_WITHIN_PX = 50;
/** Closer to the end than this counts as being there. */
const END_WITHIN_PX = 24;
const TYPICAL_ROW_PX = 54;

/** Follows new messages while it is scrolled to the end, and stays where it is otherwise. */
export function MessageList({ user }: { user: User | null }) {
  const { list, hasOlder } = useChatStore((state) => state.messages);
  const isLoadingOlder = useChatStore((state) => state.isLoadingOlder);
  const hasOlderFailed = useChatStore((state) => state.hasOlderFailed);
  const scroller = useRef<HTMLDivElement>(null);
  const [isAtEnd, setAtEnd] = useState(true);
  const lastSeen = useRef<string>(undefined);
  const lastWindowPx = useRef(0);

  const rows = useVirtualizer({
    count: list.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => TYPICAL_ROW_PX,
    getItemKey: (index) => list[index]!.id,
    overscan: 8,
  });
  const heightPx = rows.getTotalSize();
  const windowPx = rows.scrollRect?.height ?? 0;
  useStablePosition(scroller, { firstId: list[0]?.id, heightPx, windowPx, isAtEnd });
  // What does not fill the window cannot be scrolled.
  const isWindowFilled = heightPx > windowPx + LOAD_WITHIN_PX;
  const isMoreNeeded = windowPx > 0 && !isWindowFilled && hasOlder && !isLoadingOlder && !hasOlderFailed;
  useEffect(() => {
    if (isMoreNeeded) void chatInput.loadOlder();
  }, [isMoreNeeded]);

  const newest = list.at(-1)?.id;
  if (isAtEnd) lastSeen.current = newest;
  const unseen = isAtEnd ? 0 : list.length - 1 - list.findLastIndex(({ id }) => id === lastSeen.current);

  const scrollToEnd = () => {
    scroller.current!.scrollTop = scroller.current!.scrollHeight;
  };
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    const isResized = clientHeight !== lastWindowPx.current;
    lastWindowPx.current = clientHeight;
    // It was the window that moved, not the reader.
    if (isResized && isAtEnd) return scrollToEnd();
    const isNowAtEnd = scrollHeight - scrollTop - clientHeight <= END_WITHIN_PX;
    setAtEnd(isNowAtEnd);
    chatInput.readerAtEnd(isNowAtEnd);
    if (scrollTop <= LOAD_WITHIN_PX) void chatInput.loadOlder();
  };

  if (list.length === 0) return <EmptyState text={TEXT.chat.none} />;
  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        role="log"
        aria-label={TEXT.chat.messages}
        aria-busy={isLoadingOlder}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable by keyboard.
        tabIndex={0}
        onScroll={onScroll}
      >
        <div className={styles.rows} style={{ height: heightPx }}>
          {rows.getVirtualItems().map(({ index, key, start }) => (
            <div
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <ChatRow
                message={list[index]!}
                self={user && list[index]!.user_id === user.id ? user : undefined}
                isAdmin={user?.isAdmin === true}
              />
            </div>
          ))}
        </div>
      </div>
      {unseen > 0 && (
        <button type="button" className={styles.pill} onClick={scrollToEnd}>
          <ArrowDown size={15} strokeWidth={2.5} />
          {TEXT.chat.newMessages(unseen)}
        </button>
      )}
    </div>
  );
}

type Position = {
  firstId: string | undefined;
  /** Of all messages, and of the part that is seen. */
  heightPx: number;
  windowPx: number;
  isAtEnd: boolean;
};

/** Keeps the end in view, or, when older messages are put above, what the reader looks at. */
function useStablePosition(
  scroller: { readonly current: HTMLDivElement | null },
  { firstId, heightPx, windowPx, isAtEnd }: Position,
): void {
  const last = useRef({ firstId, heightPx });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a window that shrinks hides the end.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const before = last.current;
    last.current = { firstId, heightPx };
    if (isAtEnd) element.scrollTop = element.scrollHeight;
    else if (before.firstId !== firstId) element.scrollTop += heightPx - before.heightPx;
  }, [scroller, firstId, heightPx, windowPx, isAtEnd]);
}
