import { useEffect, useRef, useState } from 'react';
import { entryRecord, SEAT_ITEMS } from '../../shared/entry-record.ts';
import { showToast } from '../../ui/toast.tsx';
import styles from './arena-view.module.css';
import type { ArenaViewProps } from './arena-visit.ts';
import { guardUnload } from './guard-unload.ts';
import { Hud } from './hud/hud.tsx';
import { fillHud } from './hud/hud-events.ts';
import { reportFrames } from './hud/hud-frames.ts';
import { createHudStore, HudContext, type HudStore, useHud } from './hud/hud-store.ts';
import { BrokenOverlay, CountdownOverlay, FailedOverlay, LoadingOverlay } from './hud/overlays.tsx';
import { raiseTabAlarm } from './hud/tab-alarm.ts';
import { mountGame } from './mount-game.ts';
import { type ArenaEvents, createArenaEvents } from './net/events.ts';
import { joinRoom } from './net/room-client.ts';
import { EndOfGame } from './popups/end-of-game.tsx';
import { keepLifeRecord, type LifeRecord } from './popups/life-record.ts';
import { hearArena } from './sound/hear-arena.ts';

/** The arena in the page: the canvas, the panels around it and the popups. */
export function ArenaView(props: ArenaViewProps) {
  const [events] = useState(createArenaEvents);
  const [hud] = useState(createHudStore);
  const [life] = useState(() => keepLifeRecord(events));
  const [isDebugging, setDebugging] = useState(false);
  const { elementRef, isBroken } = useGame(props, events, hud, life, isDebugging);
  return (
    <HudContext value={hud}>
      <main className={styles.arena} onContextMenu={(event) => event.preventDefault()}>
        <div ref={elementRef} className={styles.canvas} />
        {isBroken ? (
          <BrokenOverlay onBack={() => props.onExit()} />
        ) : (
          <Stage
            {...props}
            events={events}
            life={life}
            isDebugging={isDebugging}
            onDebug={() => setDebugging((was) => !was)}
          />
        )}
      </main>
    </HudContext>
  );
}

type StageProps = ArenaViewProps & {
  events: ArenaEvents;
  life: LifeRecord;
  isDebugging: boolean;
  onDebug: () => void;
};

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

/** Runs one game per visit and connects its listeners. */
function useGame(
  { visit, user, gameUrl, onExit }: ArenaViewProps,
  events: ArenaEvents,
  hud: HudStore,
  life: LifeRecord,
  isDebugging: boolean,
) {
  const elementRef = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  // The game outlives many renders and must call the latest callbacks.
  const latest = useRef({ user, onExit, isDebugging });
  useEffect(() => {
    latest.current = { user, onExit, isDebugging };
  });

  useEffect(() => {
    if (!elementRef.current) return;
    const player = latest.current.user;
    const frames = reportFrames({
      hud,
      events,
      isSpectator: visit.type === 'spectator',
      isDebugging: () => latest.current.isDebugging,
    });
    const stopHud = fillHud(hud, events, { ownName: player.name, random: Math.random });
    const stopGuard = guardUnload(visit, events);
    const ears = hearArena(events);
    const stopAlarm = raiseTabAlarm(events);
    const stopSeat = followSeat(events, () => latest.current.onExit());
    const game = mountGame(elementRef.current, {
      visit,
      user: player,
      gameUrl,
      events,
      joinRoom,
      onFrame: (frame, cost) => {
        frames.onFrame(frame, cost);
        ears.onFrame(frame);
        life.noteMass(frame.own?.mass, frame.nowMs);
      },
      onBroken: (error) => {
        console.error(error);
        setBroken(true);
      },
    });
    return () => {
      game.dispose();
      frames.stop();
      ears.stop();
      stopAlarm();
      stopHud();
      stopGuard();
      stopSeat();
    };
  }, [visit, gameUrl, events, hud, life]);

  return { elementRef, isBroken };
}

/** Clears what the browser keeps about the seat, and goes back to the menu when the player has left the room. */
function followSeat(events: ArenaEvents, onExit: () => void): () => void {
  return events.subscribe((event) => {
    if (event.type === 'joined') entryRecord.remove('joinTicket');
    if (event.type !== 'left') return;
    entryRecord.remove(...SEAT_ITEMS);
    if (event.reason) showToast('danger', event.reason);
    onExit();
  });
}
