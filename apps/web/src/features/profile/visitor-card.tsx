import { UserRound, Wallet } from 'lucide-react';
import { Chase } from '../../art/chase.tsx';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './visitor-card.module.css';

/** What the profile shows while nobody is signed in. */
export function VisitorCard({ onConnect }: { onConnect: () => void }) {
  const facts = [
    [TEXT.profile.wallet, TEXT.nothing],
    [TEXT.profile.rank, TEXT.nothing],
    [TEXT.profile.multiplier, 'x1.00'],
  ] as const;
  return (
    <Panel className={styles.card}>
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
      </div>
      <Chase className={styles.chase} />
      <Button variant="primary" size="lg" icon={<Wallet />} onClick={onConnect}>
        {TEXT.topBar.connectWallet}
      </Button>
    </Panel>
  );
}
