import { useEffect, useRef, useState } from 'react';
import { storage } from '../../shared/storage.ts';
import { showToast } from '../../ui/toast.tsx';
import styles from './arena-view.module.css';
import type { ArenaViewProps } from './arena-visit.ts';
import { Hud } from './hud/hud.tsx';
import { createHudStore, HudContext, type HudStore, useHud } from './hud/hud-store.ts';
import { BrokenOverlay, CountdownOverlay, FailedOverlay, LoadingOverlay } from './hud/overlays.tsx';
import { mountGame } from './mount-game.ts';
import { joinRoom } from './net/room-client.ts';
import { EndOfGame } from './popups/end-of-game.tsx';

/** The arena in the page: the canvas, the panels around it, and what comes at the end. */
export function ArenaView(props: ArenaViewProps) {
  const [hud] = useState(createHudStore);
  const [isDebugging, setDebugging] = useState(false);
  const { elementRef, isBroken } = useGame(props, hud, isDebugging);
  const exit = () => props.onExit();
  return (
    <HudContext value={hud}>
      <main className={styles.arena}>
        <div ref={elementRef} className={styles.canvas} />
        {isBroken ? (
          <BrokenOverlay onBack={exit} />
        ) : (
          <Stage {...props} isDebugging={isDebugging} onDebug={() => setDebugging((was) => !was)} />
        )}
      </main>
    </HudContext>
  );
}

type StageProps = ArenaViewProps & { isDebugging: boolean; onDebug: () => void };

function Stage(props: StageProps) {
  const phase = useHud((hud) => hud.phase);
  if (phase === 'failed') return <FailedOverlay onBack={() => props.onExit()} />;
  return (
    <>
      {phase === 'loading' ? <LoadingOverlay /> : <Hud {...props} />}
      <CountdownOverlay />
      <EndOfGame {...props} />
    </>
  );
}

/** Keeps one game running in an element for as long as the session is the same. */
function useGame({ session, user, onExit }: ArenaViewProps, hud: HudStore, isDebugging: boolean) {
  const elementRef = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  // A game outlives many renders; what it calls back should be the latest.
  const latest = useRef({ user, onExit, isDebugging });
  useEffect(() => {
    latest.current = { user, onExit, isDebugging };
  });

  useEffect(() => {
    if (!elementRef.current) return;
    const game = mountGame(elementRef.current, {
      session,
      user: latest.current.user,
      hud,
      joinRoom,
      onJoined: () => storage.remove('joinTicket'),
      onLeave: (message) => {
        storage.remove('joinTicket', 'lobbyId', 'sessionId');
        if (message) showToast('danger', message);
        latest.current.onExit();
      },
      onBroken: (error) => {
        console.error(error);
        setBroken(true);
      },
      isDebugging: () => latest.current.isDebugging,
    });
    return () => game.dispose();
  }, [session, hud]);

  return { elementRef, isBroken };
}
