import { USD } from '@engulf/domain/money/amount';
import { parseRewardText } from '@engulf/domain/money/reward-text';
import { Clock3, DoorOpen, LogIn, Swords, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import { type FeedLine, useHud } from './hud-store.ts';
import styles from './live-feed.module.css';
import { HudPanel } from './panel.tsx';

/** The latest events, newest first. */
export function LiveFeed({ unit }: { unit: string }) {
  const feed = useHud((hud) => hud.feed);
  return (
    <HudPanel title={ARENA_TEXT.liveFeed}>
      {feed.length === 0 ? (
        <p className={styles.empty}>{ARENA_TEXT.feed.empty}</p>
      ) : (
        <ol className={styles.lines} aria-live="polite">
          {feed.map((line) => (
            <Line key={line.id} line={line} unit={unit} />
          ))}
        </ol>
      )}
    </HudPanel>
  );
}

function Line({ line, unit }: { line: FeedLine; unit: string }) {
  const { icon, text, amount, worth } = describe(line, unit);
  return (
    <li className={classNames(styles.line, line.isOwn && styles.own)}>
      {icon}
      <span>{text}</span>
      {amount !== undefined && (
        <span className={styles.money}>
          <b className={styles.amount}>{amount}</b>
          {worth !== undefined && <small className={styles.worth}>{worth}</small>}
        </span>
      )}
    </li>
  );
}

type Description = { icon: ReactNode; text: ReactNode; amount?: string; worth?: string | undefined };

function describe(line: FeedLine, unit: string): Description {
  const { feed } = ARENA_TEXT;
  switch (line.type) {
    case 'kill':
      return {
        icon: <Swords strokeWidth={2.25} />,
        text: (
          <>
            <b>{line.killerName}</b> {feed.ate} <b>{line.victimName}</b>
          </>
        ),
        amount: `+${parseRewardText(line.reward).amount}`,
      };
    case 'cashout':
      return {
        icon: <DoorOpen strokeWidth={2.25} className={styles.portal} />,
        text: <Who name={line.playerName} did={feed.cashedOut} />,
        ...cashedOut(line, unit),
      };
    case 'join':
      return {
        icon: <LogIn strokeWidth={2.25} className={styles.info} />,
        text: <Who name={line.playerName} did={feed.joined} />,
      };
    case 'disconnect':
      return {
        icon: <Unplug strokeWidth={2.25} />,
        text: <Who name={line.playerName} did={feed.disconnected} />,
      };
    case 'lobby_closing':
      return {
        icon: <Clock3 strokeWidth={2.25} className={styles.portal} />,
        text: feed.closing(line.minutesRemaining),
      };
    case 'lobby_opened':
      return { icon: <Clock3 strokeWidth={2.25} className={styles.info} />, text: feed.opened };
    case 'lobby_closed':
      return { icon: <Clock3 strokeWidth={2.25} className={styles.portal} />, text: feed.closed };
  }
}

/** Notional dollars are their own worth. */
function cashedOut({ amount, usdValue }: FeedLine & { type: 'cashout' }, unit: string) {
  if (unit === USD.symbol && usdValue !== null) return { amount: usdValue };
  return { amount: `${amount} ${unit}`, worth: usdValue ?? undefined };
}

function Who({ name, did }: { name: string; did: string }) {
  return (
    <>
      <b>{name}</b> {did}
    </>
  );
}
