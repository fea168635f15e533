import {
  readSolvencyHistory,
  type SolvencyHistoryRow,
  type SolvencyLobby,
} from '@engulf/protocol/http/solvency';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { dateTimeText } from '../../shared/format.ts';
import { Button } from '../../ui/button.tsx';
import { Fold } from '../../ui/fold.tsx';
import styles from './history.module.css';
import { amountText, historyBars } from './solvency-model.ts';
import { SOLVENCY_TEXT } from './text.ts';

/** Loaded when it is opened. */
export function History({ lobby }: { lobby: SolvencyLobby }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Fold
      title={SOLVENCY_TEXT.history}
      className={styles.history}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      {isOpen && <Readings lobby={lobby} />}
    </Fold>
  );
}

function Readings({ lobby }: { lobby: SolvencyLobby }) {
  const { lobbyId } = lobby;
  const query = useInfiniteQuery({
    queryKey: ['solvency-history', lobbyId],
    queryFn: async ({ pageParam }) => {
      const before = pageParam === null ? {} : { before: pageParam };
      return answerOrThrow(await callApi(readSolvencyHistory, { query: { lobbyId, ...before } }));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextBefore }) => nextBefore,
  });
  if (!query.data)
    return <p className={styles.note}>{query.isError ? SOLVENCY_TEXT.failed : SOLVENCY_TEXT.loading}</p>;
  const rows = query.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) return <p className={styles.note}>{SOLVENCY_TEXT.noHistory}</p>;
  return (
    <>
      <p className={styles.note}>{SOLVENCY_TEXT.historyNote}</p>
      <Chart rows={rows} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section className={styles.scroll} tabIndex={0} aria-label={SOLVENCY_TEXT.history}>
        <table className={styles.table}>
          <thead>
            <tr>
              {Object.values(SOLVENCY_TEXT.columns).map((column) => (
                <th key={column}>{column}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.readAt} ${row.slot}`} data-covered={row.isCovered}>
                <td>
                  <time dateTime={row.readAt}>{dateTimeText(Date.parse(row.readAt))}</time>
                </td>
                <td>{amountText(row.pool, lobby)}</td>
                <td>{amountText(row.owed, lobby)}</td>
                <td>{row.people}</td>
                <td>{SOLVENCY_TEXT.states[row.isCovered ? 'covered' : 'uncovered']}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {query.hasNextPage && (
        <Button size="sm" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {SOLVENCY_TEXT.older}
        </Button>
      )}
    </>
  );
}

const CHART_READINGS = 168;

/** The latest week as bars: the height is the pool, red is a shortage. */
function Chart({ rows }: { rows: readonly SolvencyHistoryRow[] }) {
  const shown = rows.slice(0, CHART_READINGS);
  const short = shown.filter(({ isCovered }) => !isCovered).length;
  return (
    <div className={styles.chart} role="img" aria-label={SOLVENCY_TEXT.chart(shown.length, short)}>
      {historyBars(shown).map(({ at, isCovered, height }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: two readings can have the same time.
          key={`${at} ${index}`}
          className={styles.bar}
          data-covered={isCovered}
          style={{ height: `${height * 100}%` }}
        />
      ))}
    </div>
  );
}
