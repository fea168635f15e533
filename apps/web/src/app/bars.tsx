import { MAINTENANCE_TEXT } from '@engulf/domain/lobby/maintenance';
import type { User } from '@engulf/protocol/user';
import { BookOpen, CirclePlay, LogOut, Scale, Send, Wallet, Wrench } from 'lucide-react';
import { useChatStore } from '../features/chat/chat-store.ts';
import { useLinks } from '../shared/api/queries.ts';
import { abbreviate } from '../shared/format.ts';
import { livePoolsText } from '../shared/lobby-money.ts';
import { isLive, useLobbyStore } from '../shared/stores/menu-stores.ts';
import { TEXT } from '../shared/text.ts';
import { useNow } from '../shared/use-now.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dot } from '../ui/chip.tsx';
import { Logo, XGlyph } from '../ui/logo.tsx';
import styles from './bars.module.css';

type TopBarProps = {
  user: User | null;
  onGuide: () => void;
  onConnect: () => void;
  onDisconnect: () => void;
};

export function TopBar({ user, onGuide, onConnect, onDisconnect }: TopBarProps) {
  return (
    <header className={styles.bar}>
      <Logo className={styles.logo} />
      <Pulse />
      {user ? (
        <div className={styles.account}>
          <Button icon={<CirclePlay />} onClick={onGuide}>
            {TEXT.topBar.howToPlay}
          </Button>
          <span className={styles.address}>
            <Wallet size={18} strokeWidth={2.25} />
            {abbreviate(user.walletAddress)}
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

/** Players and stakes over all live lobbies, or that the server cannot be reached; else nothing. */
function Pulse() {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const pulses = useLobbyStore((state) => state.pulses);
  const isConnected = useChatStore((state) => state.isLive);
  const nowMs = useNow(2_000);
  if (!lobbies) return null;
  const live = lobbies.map(({ id }) => {
    const pulse = pulses[id];
    return isLive(pulse, nowMs) ? pulse : undefined;
  });
  if (!live.some((pulse) => pulse !== undefined)) {
    return isConnected ? null : (
      <div className={styles.pulse} role="status">
        <span className={styles.playing}>
          <Dot />
          {TEXT.topBar.offline}
        </span>
      </div>
    );
  }
  const players = live.reduce((sum, pulse) => sum + (pulse?.totalPlayers ?? 0), 0);
  const bots = live.reduce((sum, pulse) => sum + (pulse?.totalBots ?? 0), 0);
  return (
    <div className={styles.pulse}>
      <span className={styles.playing}>
        <Dot isLive />
        <span>
          <b className={styles.figure}>{players}</b> {TEXT.topBar.playingNow}
          {bots > 0 && `, ${TEXT.lobbies.bots(bots)}`}
        </span>
      </span>
      <span>
        <b className={styles.figure}>{livePoolsText(lobbies, (index) => live[index]?.poolTotal)}</b>{' '}
        {TEXT.topBar.inLivePools}
      </span>
    </div>
  );
}

export function MaintenanceBanner() {
  return (
    <p className={styles.banner}>
      <Wrench size={18} strokeWidth={2.25} />
      {TEXT.topBar.maintenance(MAINTENANCE_TEXT)}
    </p>
  );
}

export function Footer() {
  const { docs, social, chat } = useLinks();
  const links = [
    { href: docs, icon: <BookOpen strokeWidth={2.25} />, label: TEXT.footer.docs },
    { href: social, icon: <XGlyph />, label: TEXT.footer.social },
    { href: chat, icon: <Send strokeWidth={2.25} />, label: TEXT.footer.chat },
  ];
  return (
    <footer className={styles.footer}>
      <span>{TEXT.footer.copyright(new Date().getFullYear())}</span>
      <nav className={styles.links}>
        <a className={styles.link} href="/solvency">
          <Scale strokeWidth={2.25} />
          {TEXT.footer.solvency}
        </a>
        {links.map(
          ({ href, icon, label }) =>
            href && (
              <a key={label} className={styles.link} href={href} target="_blank" rel="noreferrer">
                {icon}
                {label}
              </a>
            ),
        )}
      </nav>
    </footer>
  );
}
