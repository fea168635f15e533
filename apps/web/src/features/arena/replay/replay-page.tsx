import { ArrowLeft, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Chip } from '../../../ui/chip.tsx';
import { showToast } from '../../../ui/toast.tsx';
import { Controls } from './controls.tsx';
import { loadMatch } from './load-match.ts';
import { mountReplay, type ReplayControls } from './mount-replay.ts';
import { openReplayWorker } from './open-worker.ts';
import { PlayerList } from './player-list.tsx';
import { createReplayActions, listenToReplayKeys } from './replay-actions.ts';
import { type ReplayLink, replayPath } from './replay-link.ts';
import styles from './replay-page.module.css';
import { createReplayStore, keyOf, ReplayContext, type ReplayStore, useReplay } from './replay-store.ts';
import { REPLAY_TEXT } from './text.ts';

type ReplayPageProps = { link: ReplayLink; onVerify: (matchId: string) => void };

/** A match that has ended, like a film. */
export function ReplayPage({ link, onVerify }: ReplayPageProps) {
  const [store] = useState(createReplayStore);
  const { elementRef, controls } = useReplayIn(store, link);
  const [actions] = useState(() => createReplayActions(store, () => controls.current));
  useEffect(() => listenToReplayKeys(actions), [actions]);

  const share = async () => {
    const { tick, ticksPerSecond, followed, lives } = store.getState();
    const life = lives.find(({ player }) => player === followed);
    const path = replayPath({
      matchId: link.matchId,
      seconds: tick / ticksPerSecond,
      player: life && keyOf(life),
    });
    window.history.replaceState(null, '', path);
    await navigator.clipboard?.writeText(new URL(path, window.location.href).href).catch(() => {});
    showToast('info', { title: REPLAY_TEXT.shared });
  };
  return (
    <ReplayContext value={store}>
      <main className={styles.page}>
        <div ref={elementRef} className={styles.canvas} />
        <Ready>
          <Head />
          <div className={styles.players}>
            <PlayerList onFollow={actions.follow} onVisit={actions.visit} />
          </div>
          <div className={styles.controls}>
            <Controls
              actions={actions}
              onShare={() => void share()}
              onVerify={() => onVerify(link.matchId)}
            />
          </div>
        </Ready>
      </main>
    </ReplayContext>
  );
}

function Head() {
  const match = useReplay((state) => state.match);
  const difference = useReplay((state) => state.difference);
  const isAtCut = useReplay((state) => state.match?.isCut === true && state.tick >= state.finalTick);
  return (
    <header className={styles.head}>
      <a className={styles.back} href="/" aria-label={REPLAY_TEXT.back}>
        <ArrowLeft size={17} strokeWidth={2.25} />
        <span className={styles.backText}>{REPLAY_TEXT.back}</span>
      </a>
      {match && <h1 className={styles.title}>{REPLAY_TEXT.title(match.lobbyName)}</h1>}
      {isAtCut && <Chip tone="portal">{REPLAY_TEXT.controls.cut}</Chip>}
      {difference && (
        <Chip tone="danger" icon={<TriangleAlert size={14} />}>
          {REPLAY_TEXT.differs(difference.what, difference.tick)}
        </Chip>
      )}
    </header>
  );
}

/** Until there is something to play: says that the recording is on its way, or why there is none. */
function Ready({ children }: { children: ReactNode }) {
  const phase = useReplay((state) => state.phase);
  const failure = useReplay((state) => state.failure);
  if (phase === 'ready') return children;
  const { title, text } = failure ? REPLAY_TEXT.failures[failure] : { title: REPLAY_TEXT.loading, text: '' };
  return (
    <div className={styles.notice} role={failure ? 'alert' : 'status'}>
      <h2 className={styles.noticeTitle}>{title}</h2>
      <p>{text}</p>
      {failure && (
        <div className={styles.actions}>
          <Button
            variant={failure === 'server' ? 'neutral' : 'primary'}
            onClick={() => window.location.assign('/')}
          >
            {REPLAY_TEXT.back}
          </Button>
          {failure === 'server' && (
            <Button variant="primary" onClick={() => window.location.reload()}>
              {REPLAY_TEXT.tryAgain}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function useReplayIn(store: ReplayStore, link: ReplayLink) {
  const elementRef = useRef<HTMLDivElement>(null);
  const controls = useRef<ReplayControls>(undefined);
  useEffect(() => {
    let isGone = false;
    const fail = (failure: ReturnType<ReplayStore['getState']>['failure']) =>
      store.setState({ phase: 'failed', failure });
    const start = async () => {
      const loaded = await loadMatch(link.matchId);
      if (isGone || !elementRef.current) return;
      if (loaded.kind === 'failed') return fail(loaded.failure);
      const port = openReplayWorker();
      const mounted = await mountReplay(elementRef.current, { ...loaded, link, port, store });
      if (isGone) mounted.dispose();
      else controls.current = mounted;
    };
    start().catch((error: unknown) => {
      console.error(error);
      if (!isGone) fail('damaged');
    });
    return () => {
      isGone = true;
      controls.current?.dispose();
      controls.current = undefined;
    };
  }, [store, link]);
  return { elementRef, controls };
}
