import { MAINTENANCE_TEXT, maintenanceSpan } from '@engulf/domain/lobby/maintenance';
import type { User } from '@engulf/protocol/user';
import {
  BookOpen,
  CircleHelp,
  CirclePlay,
  Handshake,
  LogOut,
  Scale,
  Send,
  Settings,
  Wallet,
  Wrench,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useChatStore } from '../features/chat/chat-store.ts';
import { useLinks } from '../shared/api/queries.ts';
import { abbreviate, dateTimeText, localTimeText } from '../shared/format.ts';
import { livePoolsText } from '../shared/lobby-money.ts';
import { HOW_TO_PLAY_PATH } from '../shared/pages.ts';
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
  onSettings: () => void;
  onConnect: () => void;
  onDisconnect: () => void;
};

export function TopBar({ user, onGuide, onSettings, onConnect, onDisconnect }: TopBarProps) {
  const settings = <IconButton label={TEXT.topBar.settings} icon={<Settings />} onClick={onSettings} />;
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
          {settings}
          <IconButton label={TEXT.topBar.disconnect} icon={<LogOut />} onClick={onDisconnect} />
        </div>
      ) : (
        <div className={styles.account}>
          {settings}
          <Button icon={<Wallet />} onClick={onConnect}>
            {TEXT.topBar.connectWallet}
          </Button>
        </div>
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

export function NoticeBanner({ children }: { children: ReactNode }) {
  return (
    <p className={styles.banner}>
      <Wrench size={18} strokeWidth={2.25} />
      {children}
    </p>
  );
}

export function MaintenanceNotice() {
  const { startMs, endMs } = maintenanceSpan(useNow(60_000));
  return (
    <>
      {TEXT.topBar.maintenance(MAINTENANCE_TEXT)}
      <span className={styles.local}>
        {TEXT.topBar.maintenanceLocal(dateTimeText(startMs), localTimeText(endMs))}
      </span>
    </>
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
        <a className={styles.link} href="/integrity">
          <Handshake strokeWidth={2.25} />
          {TEXT.footer.fairPlay}
        </a>
        <a className={styles.link} href={HOW_TO_PLAY_PATH}>
          <CircleHelp strokeWidth={2.25} />
          {TEXT.footer.howToPlay}
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
