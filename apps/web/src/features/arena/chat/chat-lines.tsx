import { playerColourIndex } from '@engulf/domain/profile/colour';
import { Megaphone, ShieldCheck } from 'lucide-react';
import { type CSSProperties, memo, useLayoutEffect, useRef, useState } from 'react';
import { useCellColours } from '../../../art/cell-colours.ts';
import { TEXT } from '../../../shared/text.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ReportPopup } from '../../../ui/report-popup.tsx';
import { ARENA_TEXT } from '../text.ts';
import styles from './chat-lines.module.css';
import type { ChatLine } from './chat-log.ts';

/** Closer to the end than this counts as being there. */
const END_WITHIN_PX = 24;

/** Follows new lines while it is scrolled to the end. */
export function ChatLines({ lines }: { lines: readonly ChatLine[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [reported, setReported] = useState<string>();
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
        <Line key={line.key} line={line} onSender={setReported} />
      ))}
      {reported !== undefined && (
        <ReportPopup player={reported} matchId={null} onClose={() => setReported(undefined)} />
      )}
    </div>
  );
}

type LineProps = { line: ChatLine; onSender: (name: string) => void };

/** Texts are shown as they are: nothing in them can be clicked. */
const Line = memo(function Line({ line: { type, sender, to, text }, onSender }: LineProps) {
  return (
    <p className={classNames(styles.line, styles[type])}>
      {type === 'announcement' && <Megaphone size={14} strokeWidth={2.25} />}
      {type === 'admin' && <ShieldCheck size={14} strokeWidth={2.25} aria-label={ARENA_TEXT.chat.admin} />}
      {sender && type !== 'announcement' && <Sender {...sender} onChoose={onSender} />}
      {to !== undefined && <b className={styles.to}>@{to} </b>}
      {text}
    </p>
  );
});

type SenderProps = NonNullable<ChatLine['sender']> & { onChoose: (name: string) => void };

/** Leads to reporting and silencing. */
function Sender({ name, userId, colour, onChoose }: SenderProps) {
  const [fill, membrane] = useCellColours()[colour ?? playerColourIndex(userId ?? '')]!;
  const colours = { '--fill': fill, '--membrane': membrane } as CSSProperties;
  return (
    <button
      type="button"
      className={styles.sender}
      style={colours}
      aria-label={TEXT.report.title(name)}
      onClick={(event) => {
        // After a mouse click the keyboard belongs to the arena again.
        if (event.detail > 0) event.currentTarget.blur();
        onChoose(name);
      }}
    >
      {name}{' '}
    </button>
  );
}
