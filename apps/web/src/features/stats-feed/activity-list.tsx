import type { ActivityRow } from '@engulf/protocol/http/dashboard';
import { agoText } from '../../shared/format.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Amount } from '../../ui/chip.tsx';
import styles from './activity-list.module.css';
import { MatchLinks } from './match-links.tsx';
import { PagedList } from './paged-list.tsx';
import { useActivity } from './use-activity.ts';

export function ActivityList({ onVerify }: { onVerify: (matchId: string) => void }) {
  const query = useActivity();
  const nowMs = useNow(5_000);
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <PagedList query={query} isEmpty={rows.length === 0} emptyText={TEXT.statsFeed.noActivity}>
      <ul>
        {rows.map((row) => (
          <li key={row._id} className={styles.row}>
            <Avatar className={styles.avatar} name={row.playerId.name} url={null} />
            <span className={styles.what}>
              <b className={styles.name}>{row.playerId.name}</b> {outcomeOf(row)}
              {row.lobbyName && ` ${TEXT.statsFeed.ofLobby(row.lobbyName)}`}
              {row.isPlayMoney && <span className={styles.play}>{TEXT.lobbies.playMoney}</span>}
            </span>
            <MatchLinks matchId={row.matchId} entryId={row._id} onVerify={onVerify} />
            <ActivityAmount row={row} />
            <time className={styles.ago} dateTime={row.createdAt}>
              {agoText(Date.parse(row.createdAt), nowMs)}
            </time>
          </li>
        ))}
      </ul>
    </PagedList>
  );
}

/** What a player left with; nothing if they were eaten. */
function ActivityAmount({ row }: { row: ActivityRow }) {
  const isForfeitOfPlayMoney = row.isPlayMoney && row.finalStatus === 'forfeit';
  if (row.finalStatus === 'killed' || isForfeitOfPlayMoney)
    return <span className={styles.lost}>{TEXT.nothing}</span>;
  const isGain = row.finalStatus === 'cashout';
  return (
    <Amount
      className={isGain ? styles.amount : styles.refund}
      figure={isGain ? `+${row.amountText}` : row.amountText}
      unit={row.tokenSymbol}
      tone={isGain ? 'profit' : 'plain'}
    />
  );
}

function outcomeOf({ finalStatus, isPlayMoney }: ActivityRow): string {
  const { outcomes, leftGame } = TEXT.statsFeed;
  return isPlayMoney && finalStatus === 'forfeit' ? leftGame : outcomes[finalStatus];
}
