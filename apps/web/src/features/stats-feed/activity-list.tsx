import { type ActivityRow, listActivity } from '@engulf/protocol/http/dashboard';
import { useInfiniteQuery } from '@tanstack/react-query';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { agoText } from '../../shared/format.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Amount } from '../../ui/chip.tsx';
import styles from './activity-list.module.css';
import { MatchLinks } from './match-links.tsx';
import { PagedList } from './paged-list.tsx';

const REFRESH_MS = 10_000;

export function ActivityList({ onVerify }: { onVerify: (matchId: string) => void }) {
  const query = useInfiniteQuery({
    queryKey: ['activity'],
    queryFn: async ({ pageParam }) =>
      answerOrThrow(await callApi(listActivity, { query: { page: pageParam } })).data,
    initialPageParam: 1,
    getNextPageParam: ({ currentPage, lastPage }) => (currentPage < lastPage ? currentPage + 1 : undefined),
    refetchInterval: REFRESH_MS,
  });
  const nowMs = useNow(5_000);
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <PagedList query={query} isEmpty={rows.length === 0} emptyText={TEXT.statsFeed.noActivity}>
      <ul>
        {rows.map((row) => (
          <li key={row._id} className={styles.row}>
            <Avatar className={styles.avatar} name={row.playerId.name} url={null} />
            <span className={styles.what}>
              <b className={styles.name}>{row.playerId.name}</b> {TEXT.statsFeed.outcomes[row.finalStatus]}
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
  if (row.finalStatus === 'killed') return <span className={styles.lost}>{TEXT.nothing}</span>;
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
