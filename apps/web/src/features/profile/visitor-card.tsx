import { Ticket, UserRound, Wallet } from 'lucide-react';
import type { ReactNode } from 'react';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './visitor-card.module.css';

/** The profile of a visitor. */
export function VisitorCard({
  onConnect,
  backdrop,
  news,
}: {
  onConnect: () => void;
  /** What the game looks like. */
  backdrop: ReactNode;
  news: ReactNode;
}) {
  const facts = [
    [TEXT.profile.wallet, TEXT.nothing],
    [TEXT.profile.rank, TEXT.nothing],
    [TEXT.profile.multiplier, 'x1.00'],
  ] as const;
  return (
    <Panel className={styles.card}>
      {backdrop}
      <span className={styles.nobody}>
        <UserRound size={30} strokeWidth={2} />
      </span>
      <div>
        <h1 className={styles.pitch}>{TEXT.profile.pitch}</h1>
        <dl className={styles.facts}>
          <div>
            <dt className={styles.label}>{TEXT.profile.player}</dt>
            <dd className={styles.value}>{TEXT.profile.notConnected}</dd>
          </div>
          {facts.map(([label, value]) => (
            <div key={label}>
              <dt className={styles.label}>{label}</dt>
              <dd className={styles.value}>{value}</dd>
            </div>
          ))}
        </dl>
        {news}
      </div>
      <div className={styles.actions}>
        <Button variant="primary" size="lg" icon={<Wallet />} onClick={onConnect}>
          {TEXT.topBar.connectWallet}
        </Button>
        <Button icon={<Ticket />} disabled>
          {TEXT.profile.enterAccessCode}
        </Button>
      </div>
    </Panel>
  );
}
