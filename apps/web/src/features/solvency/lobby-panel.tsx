import type { SolvencyLobby } from '@engulf/protocol/http/solvency';
import { Copy, ExternalLink } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { agoText, dateTimeText } from '../../shared/format.ts';
import { Panel, PanelHeader } from '../../ui/panel.tsx';
import { History } from './history.tsx';
import styles from './lobby-panel.module.css';
import { amountText, differenceNotes } from './solvency-model.ts';
import { StateChip } from './state-chip.tsx';
import { SOLVENCY_TEXT } from './text.ts';

type LobbyPanelProps = {
  lobby: SolvencyLobby;
  state: SolvencyLobby['state'];
  /** By the server's clock. */
  nowMs: number;
  explorerAccountUrl: string | null;
  children: ReactNode;
};

export function LobbyPanel({ lobby, state, nowMs, explorerAccountUrl, children }: LobbyPanelProps) {
  const { reading, account } = lobby;
  return (
    <Panel aria-label={lobby.name} data-state={state}>
      <PanelHeader title={lobby.name}>
        <span className={styles.state}>
          <StateChip state={state} />
        </span>
      </PanelHeader>
      <div className={styles.body}>
        {reading === null ? (
          <p className={styles.note}>{SOLVENCY_TEXT.never}</p>
        ) : (
          <>
            {state === 'unknown' && (
              <p className={styles.stale} role="alert">
                {SOLVENCY_TEXT.stale(dateTimeText(Date.parse(reading.readAt)))}
              </p>
            )}
            <dl className={styles.figures} data-stale={state === 'unknown'}>
              <Figure label={SOLVENCY_TEXT.pool}>{amountText(reading.pool, lobby)}</Figure>
              <Figure label={SOLVENCY_TEXT.owed} note={SOLVENCY_TEXT.owedTo(reading.people)}>
                {amountText(reading.owed, lobby)}
              </Figure>
              <Figure label={SOLVENCY_TEXT.difference} note={differenceNotes(lobby).join(', ')}>
                <span className={reading.missing === '0' ? undefined : styles.short}>
                  {reading.missing === '0'
                    ? amountText(reading.surplus, lobby)
                    : `−${amountText(reading.missing, lobby)}`}
                </span>
              </Figure>
            </dl>
            <dl className={styles.parts}>
              {(['bounties', 'spill', 'payouts'] as const).map((part) => (
                <div key={part}>
                  <dt>{SOLVENCY_TEXT[part]}</dt>
                  <dd>{amountText(reading[part], lobby)}</dd>
                </div>
              ))}
            </dl>
            <p className={styles.note}>
              {SOLVENCY_TEXT.read(agoText(Date.parse(reading.readAt), nowMs), reading.slot)}
            </p>
          </>
        )}
        {account !== null && <Account account={account} explorerAccountUrl={explorerAccountUrl} />}
        <History lobby={lobby} />
        {children}
      </div>
    </Panel>
  );
}

function Figure({ label, note, children }: { label: string; note?: string; children: ReactNode }) {
  return (
    <div>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.figure}>{children}</dd>
      {note !== undefined && <dd className={styles.note}>{note}</dd>}
    </div>
  );
}

/** A link where there is an explorer, otherwise the address to copy. */
function Account({ account, explorerAccountUrl }: { account: string; explorerAccountUrl: string | null }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(account);
    setCopied(true);
  };
  return (
    <p className={styles.account}>
      <span className={styles.note}>{SOLVENCY_TEXT.account}</span>
      {explorerAccountUrl === null ? (
        <button
          type="button"
          className={styles.address}
          title={SOLVENCY_TEXT.copy}
          onClick={() => void copy()}
        >
          <code>{account}</code>
          <Copy size={15} strokeWidth={2.25} />
          <span role="status">{isCopied && SOLVENCY_TEXT.copied}</span>
        </button>
      ) : (
        <a
          className={styles.address}
          href={explorerAccountUrl.replace('{address}', account)}
          target="_blank"
          rel="noreferrer"
        >
          <code>{account}</code>
          <ExternalLink size={15} strokeWidth={2.25} />
        </a>
      )}
    </p>
  );
}
