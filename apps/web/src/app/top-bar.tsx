import type { User } from '@engulf/protocol/user';
import { LogOut, Wallet } from 'lucide-react';
import { livePoolsText } from '../shared/lobby-money.ts';
import { shortHash } from '../shared/short-hash.ts';
import { isLive, useLobbyStore } from '../shared/stores/lobby-store.ts';
import { TEXT } from '../shared/text.ts';
import { useNow } from '../shared/use-now.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dot } from '../ui/chip.tsx';
import { Logo } from '../ui/logo.tsx';
import styles from './top-bar.module.css';

type TopBarProps = { user: User | null; onConnect: () => void; onDisconnect: () => void };

export function TopBar({ user, onConnect, onDisconnect }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Logo className={styles.logo} />
      <Pulse />
      {user ? (
        <div className={styles.account}>
          <span className={styles.address}>
            <Wallet size={18} strokeWidth={2.25} />
            {shortHash(user.walletAddress)}
          </span>
          <IconButton label={TEXT.topBar.disconnect} icon={<LogOut />} onClick={onDisconnect} />
        </div>
      ) : (
        <Button icon={<Wallet />} onClick={onConnect}>
          {TEXT.topBar.connectWallet}
        </Button>
      )}
    </header>
  );
}

/** How many play and how much is at stake, over all lobbies that are heard of. */
function Pulse() {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const pulses = useLobbyStore((state) => state.pulses);
  const nowMs = useNow(2_000);
  if (!lobbies) return null;
  const live = lobbies.map(({ id }) => {
    const pulse = pulses[id];
    return isLive(pulse, nowMs) ? pulse : undefined;
  });
  const players = live.reduce((sum, pulse) => sum + (pulse?.totalPlayers ?? 0), 0);
  return (
    <div className={styles.pulse}>
      <span className={styles.playing}>
        <Dot isLive />
        <span>
          <b className={styles.figure}>{players}</b> {TEXT.topBar.playingNow}
        </span>
      </span>
      <span>
        <b className={styles.figure}>{livePoolsText(lobbies, (index) => live[index]?.poolTotal)}</b>{' '}
        {TEXT.topBar.inLivePools}
      </span>
    </div>
  );
}
