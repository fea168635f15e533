import { playerColourIndex } from '@engulf/netcode/format/player-rows';
import { Megaphone, ShieldCheck } from 'lucide-react';
import { type CSSProperties, memo, useLayoutEffect, useRef } from 'react';
import { useCellColours } from '../../../art/cell-colours.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import styles from './chat-lines.module.css';
import type { ChatLine } from './chat-log.ts';

/** Closer to the end than this counts as being there. */
const END_WITHIN_PX = 24;

/** Follows new lines while it is scrolled to the end. */
export function ChatLines({ lines }: { lines: readonly ChatLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [lines]);
  const onScroll = () => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    isAtEnd.current = scrollHeight - scrollTop - clientHeight <= END_WITHIN_PX;
  };
  if (lines.length === 0) return <p className={styles.none}>{ARENA_TEXT.chat.none}</p>;
  return (
    <div
      ref={scroller}
      className={styles.lines}
      role="log"
      aria-label={ARENA_TEXT.chat.messages}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reachable by keyboard.
      tabIndex={0}
      onScroll={onScroll}
    >
      {lines.map((line) => (
        <Line key={line.key} line={line} />
      ))}
    </div>
  );
}

/** Texts are shown as they are: nothing in them can be clicked. */
const Line = memo(function Line({ line: { type, sender, to, text } }: { line: ChatLine }) {
  return (
    <p className={classNames(styles.line, styles[type])}>
      {type === 'announcement' && <Megaphone size={14} strokeWidth={2.25} />}
      {type === 'admin' && <ShieldCheck size={14} strokeWidth={2.25} aria-label={ARENA_TEXT.chat.admin} />}
      {sender && type !== 'announcement' && <Sender {...sender} />}
      {to !== undefined && <b className={styles.to}>@{to} </b>}
      {text}
    </p>
  );
});

function Sender({ name, userId }: NonNullable<ChatLine['sender']>) {
  const [fill, membrane] = useCellColours()[playerColourIndex(userId ?? '')]!;
  const colours = { '--fill': fill, '--membrane': membrane } as CSSProperties;
  return (
    <b className={styles.sender} style={colours}>
      {name}{' '}
    </b>
  );
}
