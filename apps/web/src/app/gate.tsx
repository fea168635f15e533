import type { PublicConfig } from '@engulf/protocol/http/config';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { RefreshCw } from 'lucide-react';
import { type ReactNode, useSyncExternalStore } from 'react';
import { useConfig } from '../shared/api/queries.ts';
import { isWindowTooNarrow } from '../shared/layout-scale.ts';
import { TEXT } from '../shared/text.ts';
import { Button } from '../ui/button.tsx';
import { Blocker } from './blocker.tsx';
import { LoadingScreen } from './loading-screen.tsx';

/** Lets through to the game whoever can play it: a wide enough window, a server, the same protocol. */
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
