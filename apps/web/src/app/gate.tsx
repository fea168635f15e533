import { MAINTENANCE_TEXT, maintenanceLeftMs } from '@engulf/domain/lobby/maintenance';
import type { PublicConfig } from '@engulf/protocol/http/config';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { MonitorX, RefreshCw, Wrench } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { CookingArt, DishArt, UpgradeArt } from '../art/blocker-art.tsx';
import { useConfig, useLinks } from '../shared/api/queries.ts';
import { localTimeText, spanText } from '../shared/format.ts';
import { isWindowTooNarrow } from '../shared/layout-scale.ts';
import { TEXT } from '../shared/text.ts';
import { useNow } from '../shared/use-now.ts';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { XGlyph } from '../ui/logo.tsx';
import { MaintenanceNotice } from './bars.tsx';
import { Blocker, LoadingScreen } from './full-page.tsx';
import styles from './gate.module.css';
import { type Closing, useGates } from './gates.ts';

type GateProps = {
  children: (config: PublicConfig, doors: Doors) => ReactNode;
};

export type Doors = {
  /** A page to show instead of the menu. A running match is never interrupted. */
  readonly blocker: ReactNode | undefined;
  readonly isTooNarrow: boolean;
  /** What the menu says above all else. */
  readonly notice: ReactNode;
  readonly isChatOpen: boolean;
  /** Whether a match is overlaid with a warning of another session. */
  readonly isSessionOverlayOn: boolean;
};

/** Renders the game where it can run: the server answers and speaks our protocol, and the visitor may come in. */
export function Gate({ children }: GateProps) {
  const { data: config, isPending, isFetching, refetch } = useConfig();
  const gates = useGates();
  const isTooNarrow = useSyncExternalStore(subscribeToWidth, () => isWindowTooNarrow(window.innerWidth));
  const { mobile, server } = TEXT.blockers;

  const narrow = isTooNarrow ? <Blocker title={mobile.title} text={mobile.text} /> : undefined;
  if (isPending || gates.isPending) return narrow ?? <LoadingScreen label={TEXT.blockers.loading} />;
  if (!config) {
    return (
      <Blocker title={server.title} text={server.text}>
        <Button size="lg" icon={<RefreshCw />} isBusy={isFetching} onClick={() => void refetch()}>
          {server.action}
        </Button>
      </Blocker>
    );
  }
  const blocker = narrow ?? outdatedPage(config) ?? (gates.closing && <ClosedPage closing={gates.closing} />);
  const { isMaintenanceAnnounced, isSessionOverlayOn, entriesPausedBy, isChatOpen } = gates;
  const maintenance = isMaintenanceAnnounced ? <MaintenanceNotice /> : undefined;
  const notice = entriesPausedBy ? TEXT.topBar.entriesPaused[entriesPausedBy] : maintenance;
  return children(config, { blocker, isTooNarrow, notice, isSessionOverlayOn, isChatOpen });
}

function subscribeToWidth(notify: () => void): () => void {
  window.addEventListener('resize', notify);
  return () => window.removeEventListener('resize', notify);
}

function outdatedPage({ protocolVersion }: PublicConfig): ReactNode | undefined {
  if (protocolVersion === PROTOCOL_VERSION) return undefined;
  const { outdated } = TEXT.blockers;
  return (
    <Blocker title={outdated.title} text={outdated.text}>
      <Button size="lg" variant="primary" icon={<RefreshCw />} onClick={() => window.location.reload()}>
        {outdated.action}
      </Button>
    </Blocker>
  );
}

function ClosedPage({ closing }: { closing: Closing }) {
  const { region, beta } = TEXT.blockers;
  const { social } = useLinks();
  if (closing === 'upgrade') return <UpgradePage />;
  const { title, text } = closing === 'region' ? region : beta;
  return (
    <Blocker title={title} text={text} art={closing === 'region' ? <DishArt /> : <CookingArt />}>
      {closing === 'region' && (
        <a className={styles.source} href="https://db-ip.com" target="_blank" rel="noreferrer">
          {region.source}
        </a>
      )}
      {social && (
        <a className={styles.follow} href={social} target="_blank" rel="noreferrer">
          <XGlyph />
          {TEXT.footer.social}
        </a>
      )}
    </Blocker>
  );
}

function UpgradePage() {
  const { upgrade } = TEXT.blockers;
  const nowMs = useNow(1_000);
  const leftMs = maintenanceLeftMs(nowMs);
  const text =
    leftMs === undefined ? upgrade.unplanned : upgrade.text(MAINTENANCE_TEXT, localTimeText(nowMs + leftMs));
  return (
    <Blocker title={upgrade.title} text={text} art={<UpgradeArt />}>
      {leftMs !== undefined && (
        <Chip tone="portal" className={styles.backIn} icon={<Wrench />}>
          {upgrade.backIn(spanText(leftMs))}
        </Chip>
      )}
      <Button size="lg" icon={<RefreshCw />} onClick={() => window.location.reload()}>
        {upgrade.action}
      </Button>
    </Blocker>
  );
}

/** Covers a match in a window that has become too narrow. The match continues. */
export function NarrowNotice() {
  const { title, text } = TEXT.blockers.narrowMatch;
  return (
    <div className={styles.notice} role="alert">
      <MonitorX size={20} strokeWidth={2.25} />
      <span>
        <b>{title}</b> {text}
      </span>
    </div>
  );
}
