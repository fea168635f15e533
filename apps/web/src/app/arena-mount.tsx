import { lazy, Suspense } from 'react';
import type { ArenaViewProps } from '../features/arena/arena-visit.ts';
import { WayBack } from '../features/arena/hud/way-back.tsx';
import { ARENA_TEXT } from '../features/arena/text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Blocker, LoadingScreen } from './full-page.tsx';

/** Loaded on demand, because it brings the render engine. */
const loadArena = () => import('../features/arena/arena-view.tsx');

const ArenaView = lazy(() =>
  loadArena().then(
    ({ ArenaView }) => ({ default: ArenaView }),
    (error: unknown) => {
      console.error(error);
      return { default: NotLoaded };
    },
  ),
);

/** Only a reload helps: neither React nor the browser tries to load it again. */
function NotLoaded({ onExit }: ArenaViewProps) {
  const { title, reload } = ARENA_TEXT.broken;
  return (
    <Blocker title={title} text={ARENA_TEXT.failed.text}>
      <Button size="lg" onClick={() => onExit()}>
        {ARENA_TEXT.back}
      </Button>
      <Button size="lg" variant="primary" onClick={() => window.location.reload()}>
        {reload}
      </Button>
    </Blocker>
  );
}

/** Called when a player is about to enter, so that the code is there in time. */
export function preloadArena(): void {
  loadArena().catch(() => undefined);
}

export function ArenaMount(props: ArenaViewProps) {
  const renderFailure = () => (
    <Blocker title={ARENA_TEXT.failed.title} text={ARENA_TEXT.failed.text}>
      <Button size="lg" variant="primary" onClick={() => props.onExit()}>
        {ARENA_TEXT.back}
      </Button>
    </Blocker>
  );
  return (
    <ErrorBoundary fallback={renderFailure}>
      <Suspense
        fallback={
          <LoadingScreen label={ARENA_TEXT.loading.title}>
            <WayBack visit={props.visit} onBack={() => props.onExit()} />
          </LoadingScreen>
        }
      >
        <ArenaView {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
