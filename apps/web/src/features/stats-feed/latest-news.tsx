import { isLobbyOpen, nextWindow } from '@engulf/domain/lobby/opening-hours';
import { Clock3, DoorOpen } from 'lucide-react';
import { agoText, spanText } from '../../shared/format.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Chip } from '../../ui/chip.tsx';
import styles from './latest-news.module.css';
import { useActivity } from './use-activity.ts';

const SHOWN_CASHOUTS = 2;

/** The last cash-outs, and when the next lobby opens. */
export function LatestNews() {
  const { data } = useActivity();
  const lobbies = useLobbyStore((state) => state.lobbies);
  const nowMs = useNow(5_000);
  const cashouts = (data?.pages[0]?.data ?? []).filter(({ finalStatus }) => finalStatus === 'cashout');
  const openings = (lobbies ?? []).flatMap((lobby) => {
    const next = lobby.isLocked || isLobbyOpen(lobby, nowMs) ? undefined : nextWindow(lobby, nowMs);
    return next ? [{ name: lobby.name, startMs: next.startMs }] : [];
  });
  const next = openings.sort((a, b) => a.startMs - b.startMs)[0];
  return (
    <div className={styles.news}>
      {cashouts.slice(0, SHOWN_CASHOUTS).map((row) => (
        <Chip key={row._id} tone="profit" icon={<DoorOpen />}>
          {TEXT.statsFeed.cashedOut(
            row.playerId.name,
            `${row.amountText} ${row.tokenSymbol}`,
            agoText(Date.parse(row.createdAt), nowMs),
          )}
        </Chip>
      ))}
      {next && (
        <Chip tone="portal" icon={<Clock3 />}>
          {TEXT.statsFeed.opensIn(next.name, spanText(next.startMs - nowMs))}
        </Chip>
      )}
    </div>
  );
}
