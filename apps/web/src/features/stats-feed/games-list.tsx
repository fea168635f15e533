import { type GameHistoryRow, listGamesHistory } from '@engulf/protocol/http/dashboard';
import type { Lobby } from '@engulf/protocol/lobby';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ExternalLink, Share2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { abbreviate, dateTimeText } from '../../shared/format.ts';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Spinner } from '../../ui/button.tsx';
import { Amount, Chip, type ChipTone } from '../../ui/chip.tsx';
import { SharePopup } from '../../ui/share-popup.tsx';
import { useShare } from '../../ui/use-share.ts';
import styles from './games-list.module.css';
import { MatchLinks } from './match-links.tsx';
import { PagedList } from './paged-list.tsx';

/** A game that the player has left: its body stays for some seconds, and only then there is a refund to list. */
export type LeftGame = { readonly gameId: string; readonly lobby: Lobby; readonly leftAtMs: number };

type GamesListProps = {
  explorerUrl: string | null;
  leftGame: LeftGame | undefined;
  /** The note beside the tabs: whether payouts are still settling. */
  onNote: (note: string) => void;
  onVerify: (matchId: string) => void;
};

export function GamesList({ explorerUrl, leftGame, onNote, onVerify }: GamesListProps) {
  const query = useInfiniteQuery({
    queryKey: ['own', 'games'],
    queryFn: async ({ pageParam }) =>
      answerOrThrow(await callApi(listGamesHistory, { query: { page: pageParam } })).data,
    initialPageParam: 1,
    getNextPageParam: ({ currentPage, lastPage }) => (currentPage < lastPage ? currentPage + 1 : undefined),
    refetchInterval: ({ state }) => state.status === 'error' && HISTORY_REFRESH.everyMs,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  const nowMs = useNow(HISTORY_REFRESH.everyMs);
  const awaited = query.data && leftGame && isAwaited(leftGame, rows, nowMs) ? leftGame.lobby : undefined;
  const isRefreshing = useAutoRefresh(awaited ? [AWAITED] : rows, query.refetch);
  const isSettling = awaited !== undefined || rows.some(isUnsettled);
  useEffect(() => {
    const { gamesNote, gamesWaitingNote, gamesSettledNote } = TEXT.statsFeed;
    const settlingNote = isRefreshing ? gamesNote : gamesWaitingNote;
    onNote(isSettling ? settlingNote : gamesSettledNote);
  }, [isSettling, isRefreshing, onNote]);

  const { columns } = TEXT.statsFeed;
  return (
    <PagedList
      query={query}
      isEmpty={rows.length === 0 && !awaited}
      emptyText={TEXT.statsFeed.noGames}
      failedText={leftGame && TEXT.statsFeed.refundUnknown(leftGame.lobby.name)}
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th>{columns.game}</th>
            <th>{columns.type}</th>
            <th className={styles.right}>{columns.amount}</th>
            <th>{columns.status}</th>
            <th>{columns.transaction}</th>
            <th>{columns.match}</th>
            <th className={styles.right}>{columns.date}</th>
          </tr>
        </thead>
        <tbody>
          {awaited && (
            <tr>
              <td>{awaited.name}</td>
              <td className={styles.refund}>{TEXT.statsFeed.refund}</td>
              <td className={styles.right}>{TEXT.nothing}</td>
              <td>
                <Chip tone={STATUS_TONES.pending}>{TEXT.statsFeed.statuses.pending}</Chip>
              </td>
              <td className={styles.reason} colSpan={3}>
                {TEXT.statsFeed.awaited}
              </td>
            </tr>
          )}
          {rows.map((row) => (
            <GameRow key={row._id} row={row} explorerUrl={explorerUrl} onVerify={onVerify} />
          ))}
        </tbody>
      </table>
    </PagedList>
  );
}

const AWAITED: SettlementState = { status: 'pending' };

/** Later than this there is no refund: somebody has eaten the body. */
const REFUNDED_WITHIN_MS = 60_000;

function isAwaited({ gameId, leftAtMs }: LeftGame, rows: readonly GameHistoryRow[], nowMs: number): boolean {
  return nowMs - leftAtMs < REFUNDED_WITHIN_MS && !rows.some((row) => row.gameId === gameId);
}

const STATUS_TONES: { readonly [status in GameHistoryRow['status']]: ChipTone } = {
  pending: 'neutral',
  processing: 'info',
  completed: 'profit',
  failed: 'danger',
};

type GameRowProps = Pick<GamesListProps, 'explorerUrl' | 'onVerify'> & { row: GameHistoryRow };

function GameRow({ row, explorerUrl, onVerify }: GameRowProps) {
  return (
    <tr>
      <td title={row.gameId}>{`#${row.gameId.slice(0, 8)}`}</td>
      <td className={row.isRefund ? styles.refund : styles.cashout}>
        {typeOf(row)}
        {!row.isRefund && <ShareButton entryId={row.gameId} />}
      </td>
      <td className={styles.right} title={row.usdText ?? undefined}>
        {isNothing(row) ? TEXT.nothing : <Amount figure={row.amountText} unit={row.tokenSymbol} />}
      </td>
      <td>
        {row.isPlayMoney ? (
          <Chip>{TEXT.statsFeed.playMoney}</Chip>
        ) : (
          <Chip tone={STATUS_TONES[row.status]}>{TEXT.statsFeed.statuses[row.status]}</Chip>
        )}
      </td>
      {row.isPlayMoney ? (
        <td>{TEXT.nothing}</td>
      ) : row.waitsFor ? (
        <td className={styles.reason}>{TEXT.statsFeed.waitsFor[row.waitsFor](row.tokenSymbol)}</td>
      ) : (
        <td>
          <TransactionLink signature={row.txnHash} explorerUrl={explorerUrl} />
        </td>
      )}
      <td>
        <MatchLinks matchId={row.matchId} entryId={row.gameId} onVerify={onVerify} />
      </td>
      <td className={styles.right}>
        <time dateTime={row.createdAt}>{dateTimeText(Date.parse(row.createdAt))}</time>
      </td>
    </tr>
  );
}

/** Play money that was brought out of the arena only. */
function isNothing({ isPlayMoney, finalStatus }: GameHistoryRow): boolean {
  return isPlayMoney && finalStatus !== 'cashout' && finalStatus !== 'closed';
}

function typeOf({ finalStatus, isRefund, isPlayMoney }: GameHistoryRow): string {
  const { types, refund, cashout, left } = TEXT.statsFeed;
  if (finalStatus === null) return isRefund ? refund : cashout;
  return isPlayMoney && finalStatus === 'forfeit' ? left : types[finalStatus];
}

function ShareButton({ entryId }: { entryId: string }) {
  const { isSharing, shared, share, close } = useShare();
  return (
    <>
      <button
        type="button"
        className={styles.share}
        aria-label={isSharing ? TEXT.share.wait : TEXT.share.flex}
        title={TEXT.share.flex}
        disabled={isSharing}
        onClick={() => share(() => ({ entryId }))}
      >
        {isSharing ? <Spinner /> : <Share2 size={15} strokeWidth={2.25} />}
      </button>
      {shared && <SharePopup card={shared} onClose={close} />}
    </>
  );
}

function TransactionLink({
  signature,
  explorerUrl,
}: {
  signature: string | null;
  explorerUrl: string | null;
}) {
  if (signature === null) return <span className={styles.waiting}>{TEXT.statsFeed.waitingForHash}</span>;
  if (explorerUrl === null) return <span title={signature}>{abbreviate(signature)}</span>;
  return (
    <a
      className={styles.link}
      href={explorerUrl.replace('{signature}', signature)}
      target="_blank"
      rel="noreferrer"
      title={signature}
    >
      {abbreviate(signature)}
      <ExternalLink size={14} strokeWidth={2.25} />
    </a>
  );
}

/** Refetches twice after opening, then while a payout is pending, for up to two minutes. True until then. */
function useAutoRefresh(rows: readonly SettlementState[], refetch: () => unknown): boolean {
  const [isDue, setDue] = useState(true);
  const latest = useRef({ rows, refetch });
  latest.current = { rows, refetch };
  useEffect(() => {
    let tick = 0;
    const timer = setInterval(() => {
      tick++;
      if (isHistoryRefreshDue(tick, latest.current.rows)) latest.current.refetch();
      setDue(tick < HISTORY_REFRESH.maxTicks);
    }, HISTORY_REFRESH.everyMs);
    return () => clearInterval(timer);
  }, []);
  return isDue;
}

const HISTORY_REFRESH = { everyMs: 5_000, firstTicks: 2, maxTicks: 24 } as const;

type SettlementState = {
  readonly status: string;
  readonly txnHash?: string | null | undefined;
  readonly isPlayMoney?: boolean;
};

/** The payout has not reached the player's wallet yet. */
export function isUnsettled(row: SettlementState): boolean {
  if (row.isPlayMoney) return false;
  return row.status === 'pending' || row.status === 'processing' || !row.txnHash;
}

/** Whether the given tick refetches the rows; ticks are counted from 1 after loading. */
export function isHistoryRefreshDue(tick: number, rows: readonly SettlementState[]): boolean {
  if (tick <= HISTORY_REFRESH.firstTicks) return true;
  return tick <= HISTORY_REFRESH.maxTicks && rows.some(isUnsettled);
}
