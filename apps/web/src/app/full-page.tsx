import type { PublicConfig } from '@engulf/protocol/http/config';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { AmbientGround } from '../art/ambient-ground.tsx';
import egg from '../art/avatars/egg.svg';
import { HeroCell } from '../art/hero-cell.tsx';
import { useConfig } from '../shared/api/queries.ts';
import { isWindowTooNarrow } from '../shared/layout-scale.ts';
import { TEXT } from '../shared/text.ts';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { Footer } from './bars.tsx';
import styles from './full-page.module.css';

/** Renders the game where it can run: the window is wide enough, the server answers and speaks our protocol. */
export function Gate({ children }: { children: (config: PublicConfig) => ReactNode }) {
  const { data: config, isPending, isFetching, refetch } = useConfig();
  const isTooNarrow = useSyncExternalStore(subscribeToWidth, () => isWindowTooNarrow(window.innerWidth));
  const { mobile, server, outdated } = TEXT.blockers;

  if (isTooNarrow) return <Blocker title={mobile.title} text={mobile.text} />;
  if (isPending) return <LoadingScreen label={TEXT.blockers.loading} />;
  if (!config) {
    return (
      <Blocker title={server.title} text={server.text}>
        <Button size="lg" icon={<RefreshCw />} isBusy={isFetching} onClick={() => void refetch()}>
          {server.action}
        </Button>
      </Blocker>
    );
  }
  if (config.protocolVersion !== PROTOCOL_VERSION) {
    return (
      <Blocker title={outdated.title} text={outdated.text}>
        <Button size="lg" variant="primary" icon={<RefreshCw />} onClick={() => window.location.reload()}>
          {outdated.action}
        </Button>
      </Blocker>
    );
  }
  return children(config);
}

function subscribeToWidth(notify: () => void): () => void {
  window.addEventListener('resize', notify);
  return () => window.removeEventListener('resize', notify);
}

type BlockerProps = { title: string; text: string; children?: ReactNode };

/** A full page shown instead of the game. */
export function Blocker({ title, text, children }: BlockerProps) {
  return (
    <div className={styles.page}>
      <AmbientGround clearing="message" />
      <Logo className={styles.logo} />
      <main className={styles.message}>
        <h1 className={styles.title}>{title}</h1>
        <p className={styles.text}>{text}</p>
        {children && <div className={styles.actions}>{children}</div>}
      </main>
      <div className={styles.art}>
        <HeroCell name={TEXT.productName} avatarUrl={egg} sizePx={620} />
      </div>
      <div className={styles.footer}>
        <Footer />
      </div>
    </div>
  );
}

export function LoadingScreen({ label }: { label: string }) {
  return (
    <div className={styles.screen} role="status" aria-label={label}>
      <AmbientGround />
      <img className={styles.mark} src="/mark.svg" width={96} height={96} alt="" />
    </div>
  );
}
