import { formatExactAmount } from '@engulf/domain/money/amount';
import { useEffect, useRef, useState } from 'react';
import { Fold } from '../../ui/fold.tsx';
import styles from './lobby-check.module.css';
import type { LobbyCheckAnswer, LobbyCheckRequest } from './lobby-messages.ts';
import { NodeField } from './node-field.tsx';
import { LOBBY_CHECK_TEXT } from './text.ts';

type LobbyCheckProps = {
  lobby: { readonly lobbyId: string; readonly tokenSymbol: string; readonly tokenDecimals: number };
};

/** Checks all matches of a lobby in the visitor's browser, when asked to. */
export function LobbyCheck({ lobby }: LobbyCheckProps) {
  const [answer, setAnswer] = useState<LobbyCheckAnswer>();
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);
  const ask = (rpcUrl: string | undefined) => {
    worker.current ??= new Worker(new URL('./lobby-worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = ({ data }: MessageEvent<LobbyCheckAnswer>) => setAnswer(data);
    worker.current.onerror = () => setAnswer({ type: 'failed' });
    setAnswer({ type: 'progress', what: 'matches', done: 0, of: 0 });
    const request: LobbyCheckRequest = { lobbyId: lobby.lobbyId, server: window.location.origin, rpcUrl };
    worker.current.postMessage(request);
  };
  return (
    <Fold title={LOBBY_CHECK_TEXT.title} className={styles.check}>
      <p className={styles.note}>{LOBBY_CHECK_TEXT.lead}</p>
      <NodeField
        action={answer === undefined ? LOBBY_CHECK_TEXT.start : LOBBY_CHECK_TEXT.goOn}
        isBusy={answer?.type === 'progress'}
        onAsk={ask}
      />
      <div role="status">{answer && <Outcome answer={answer} lobby={lobby} />}</div>
    </Fold>
  );
}

function Outcome({ answer, lobby }: LobbyCheckProps & { answer: LobbyCheckAnswer }) {
  if (answer.type === 'failed') return <p className={styles.bad}>{LOBBY_CHECK_TEXT.failed}</p>;
  if (answer.type === 'progress') {
    const { done, of, what } = answer;
    return <p>{LOBBY_CHECK_TEXT.progress(done, of, LOBBY_CHECK_TEXT.reading[what])}</p>;
  }
  const { wrong, open, figures } = answer.audit;
  const verdict = wrong.length > 0 ? 'wrong' : open.length > 0 ? 'open' : 'right';
  const token = { symbol: lobby.tokenSymbol, decimals: lobby.tokenDecimals };
  const text = (amount: bigint) => `${formatExactAmount(amount, token)} ${lobby.tokenSymbol}`;
  return (
    <>
      <p className={styles.verdict} data-verdict={verdict}>
        {LOBBY_CHECK_TEXT.verdicts[verdict]}
      </p>
      <p className={styles.note}>
        {LOBBY_CHECK_TEXT.figures(
          text(figures.paidIn),
          figures.joins,
          text(figures.paidOut),
          figures.payouts,
        )}
      </p>
      {[...wrong, ...open].map((line) => (
        <p key={line} className={styles.note}>
          {line}
        </p>
      ))}
    </>
  );
}
