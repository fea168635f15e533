import { currencyOf } from '@engulf/domain/money/currency';
import { readSolvency, type Solvency, type SolvencyLobby } from '@engulf/protocol/http/solvency';
import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { useNow } from '../../shared/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { EmptyState, Panel, PanelHeader, SkeletonRows } from '../../ui/panel.tsx';
import { LobbyPanel } from './lobby-panel.tsx';
import { amountText, currentState } from './solvency-model.ts';
import styles from './solvency-page.module.css';
import { StateChip } from './state-chip.tsx';
import { SOLVENCY_TEXT } from './text.ts';

const REFRESH_MS = 10_000;

type SolvencyPageProps = {
  /** What lets visitors check a lobby themselves. */
  renderCheck: (lobby: SolvencyLobby) => ReactNode;
};

export function SolvencyPage({ renderCheck }: SolvencyPageProps) {
  const { data, isPending, isError, isFetching, refetch } = useQuery({
    queryKey: ['solvency'],
    queryFn: async () => answerOrThrow(await callApi(readSolvency, {})),
    refetchInterval: REFRESH_MS,
  });
  const nowMs = useNow(1_000);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <a href="/" aria-label={SOLVENCY_TEXT.back}>
          <Logo className={styles.logo} />
        </a>
        <a className={styles.back} href="/">
          <ArrowLeft size={17} strokeWidth={2.25} />
          {SOLVENCY_TEXT.back}
        </a>
      </header>
      <main className={styles.main}>
        <h1 className={styles.title}>{SOLVENCY_TEXT.title}</h1>
        <p className={styles.lead}>{SOLVENCY_TEXT.lead}</p>
        {isError && data && (
          <p className={styles.warning} role="alert">
            {SOLVENCY_TEXT.disconnected}
          </p>
        )}
        {data ? (
          <Figures answer={data} nowMs={nowMs} renderCheck={renderCheck} />
        ) : (
          <Panel>
            {isPending ? (
              <SkeletonRows count={5} label={SOLVENCY_TEXT.loading} />
            ) : (
              <EmptyState text={SOLVENCY_TEXT.failed}>
                <Button size="sm" isBusy={isFetching} onClick={() => void refetch()}>
                  {SOLVENCY_TEXT.tryAgain}
                </Button>
              </EmptyState>
            )}
          </Panel>
        )}
      </main>
    </div>
  );
}

type FiguresProps = SolvencyPageProps & { answer: Solvency; nowMs: number };

function Figures({ answer, nowMs, renderCheck }: FiguresProps) {
  const { lobbies, totals, staleAfterMs, explorerAccountUrl } = answer;
  return (
    <>
      <Panel aria-label={SOLVENCY_TEXT.totals}>
        <PanelHeader title={SOLVENCY_TEXT.totals} />
        <ul className={styles.totals}>
          {totals.map((total) => {
            const group = lobbies.filter(({ tokenMint }) => tokenMint === total.tokenMint);
            const isOld = group.some((lobby) => currentState(lobby, staleAfterMs, nowMs) === 'unknown');
            return (
              <li key={currencyOf(total.tokenMint)} className={styles.total}>
                <StateChip state={isOld && total.state === 'covered' ? 'unknown' : total.state} />
                <dl className={styles.sums}>
                  <div>
                    <dt className={styles.label}>{SOLVENCY_TEXT.pool}</dt>
                    <dd className={styles.sum}>{amountText(total.pool, total)}</dd>
                  </div>
                  <div>
                    <dt className={styles.label}>{SOLVENCY_TEXT.owed}</dt>
                    <dd className={styles.sum}>{amountText(total.owed, total)}</dd>
                  </div>
                </dl>
                <span className={styles.note}>
                  {SOLVENCY_TEXT.ofLobbies(total.lobbies - total.staleLobbies, total.lobbies)}
                </span>
              </li>
            );
          })}
        </ul>
      </Panel>
      {lobbies.map((lobby) => (
        <LobbyPanel
          key={lobby.lobbyId}
          lobby={lobby}
          state={currentState(lobby, staleAfterMs, nowMs)}
          nowMs={nowMs}
          explorerAccountUrl={explorerAccountUrl}
        >
          {renderCheck(lobby)}
        </LobbyPanel>
      ))}
    </>
  );
}
