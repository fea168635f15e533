import type { ConsoleCell } from '@engulf/protocol/http/console';
import { useState } from 'react';
import { abbreviate, agoText } from '../../shared/format.ts';
import { classNames } from '../../ui/class-names.ts';
import styles from './cell.module.css';
import { follow } from './console-link.ts';
import { CONSOLE_TEXT } from './text.ts';

/** Addresses, signatures and ids: nobody reads them whole, everybody copies them. */
const UNREADABLE = /^(?:[1-9A-HJ-NP-Za-km-z]{32,}|[0-9a-f]{8}-[0-9a-f-]{27})$/;

export function Cell({ cell, nowMs }: { cell: ConsoleCell | undefined; nowMs: number }) {
  if (cell === null || cell === undefined || cell === '') return <span className={styles.quiet}>–</span>;
  if (typeof cell !== 'object') return <Text text={String(cell)} />;
  const { text, tone, to, at } = cell;
  if (at !== undefined)
    return (
      <time dateTime={at} title={text} className={styles.time}>
        {agoText(Date.parse(at), nowMs)}
      </time>
    );
  if (to !== undefined) return <ConsoleAnchor to={to}>{text}</ConsoleAnchor>;
  return <span className={tone && styles[tone]}>{text}</span>;
}

/** Follows links within the console without loading the page again. */
export function ConsoleAnchor({
  to,
  className,
  children,
}: {
  to: string;
  className?: string | undefined;
  children: string;
}) {
  const isInside = to.startsWith('?');
  return (
    <a
      className={classNames(styles.link, className)}
      href={isInside ? `/console${to}` : to}
      {...(!isInside && { target: '_blank', rel: 'noreferrer' })}
      onClick={(event) => {
        if (!isInside || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        follow(to);
      }}
    >
      {children}
    </a>
  );
}

function Text({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  if (!UNREADABLE.test(text)) return text;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button
      type="button"
      className={styles.copy}
      title={`${CONSOLE_TEXT.copy}: ${text}`}
      onClick={() => void copy()}
    >
      {isCopied ? CONSOLE_TEXT.copied : abbreviate(text)}
    </button>
  );
}
