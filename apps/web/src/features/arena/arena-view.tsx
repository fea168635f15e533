import { useCallback, useEffect, useRef, useState } from 'react';
import { entryRecord, SEAT_ITEMS } from '../../shared/entry-record.ts';
import { lobbyUnit } from '../../shared/lobby-money.ts';
import { serverNowMs } from '../../shared/server-clock.ts';
import { showToast } from '../../ui/toast.tsx';
import styles from './arena-view.module.css';
import type { ArenaViewProps } from './arena-visit.ts';
import { type ChatStore, createChatStore } from './chat/chat-store.ts';
import { followChat } from './chat/follow-chat.ts';
import { DeathFilm } from './death-film.tsx';
import { guardUnload } from './guard-unload.ts';
import { Hud } from './hud/hud.tsx';
import { fillHud } from './hud/hud-events.ts';
import { reportFrames } from './hud/hud-frames.ts';
import { createHudStore, HudContext, type HudStore, useHud } from './hud/hud-store.ts';
import { BrokenOverlay, CountdownOverlay, FailedOverlay, LoadingOverlay } from './hud/overlays.tsx';
import { raiseTabAlarm } from './hud/tab-alarm.ts';
import type { Face } from './model/frame/face.ts';
import { createLastMoments, type LastMoments } from './model/last-moments.ts';
import { mountGame } from './mount-game.ts';
import { type ArenaEvents, createArenaEvents } from './net/events.ts';
import type { GameRoom } from './net/game-room.ts';
import { joinRoom } from './net/room-link.ts';
import { EndOfGame } from './popups/end-of-game.tsx';
import { keepLifeRecord, type LifeRecord } from './popups/life-record.ts';
import { hearArena } from './sound/hear-arena.ts';

/** Outlives the visits. */
const grudges = new Set<string>();

/** The arena in the page: the canvas, the panels around it and the popups. */
export function ArenaView(props: ArenaViewProps) {
  const [events] = useState(createArenaEvents);
  const [hud] = useState(createHudStore);
  const [chat] = useState(createChatStore);
  const [life] = useState(() => keepLifeRecord(events));
  const [moments] = useState(createLastMoments);
  const [isDebugging, setDebugging] = useState(false);
  const { elementRef, isBroken, send, faceOf } = useGame(
    props,
    { events, hud, chat, life, moments },
    isDebugging,
  );
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
            chat={chat}
            send={send}
            faceOf={faceOf}
            life={life}
            moments={moments}
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
  chat: ChatStore;
  send: GameRoom['send'];
  faceOf: (name: string) => Face | undefined;
  life: LifeRecord;
  moments: LastMoments;
  isDebugging: boolean;
  onDebug: () => void;
};

function Stage(props: StageProps) {
  const phase = useHud((hud) => hud.phase);
  if (phase === 'failed') return <FailedOverlay onBack={() => props.onExit()} />;
  return (
    <>
      {phase === 'loading' ? (
        <LoadingOverlay visit={props.visit} onBack={() => props.onExit()} />
      ) : (
        <Hud {...props} />
      )}
      <CountdownOverlay />
      <EndOfGame
        {...props}
        avatarOf={(name) => props.faceOf(name)?.avatarUrl ?? null}
        renderDeath={(killer, onClose) => (
          <DeathFilm
            moments={props.moments}
            killer={killer}
            unit={lobbyUnit(props.visit.lobby)}
            virusDepthMass={props.virusDepthMass}
            {...(onClose ? { onClose } : {})}
          />
        )}
      />
    </>
  );
}

type GameStores = {
  readonly events: ArenaEvents;
  readonly hud: HudStore;
  readonly chat: ChatStore;
  readonly life: LifeRecord;
  readonly moments: LastMoments;
};

/** Runs one game per visit and connects its listeners. */
function useGame(
  { visit, user, gameUrl, tabHiddenTimeoutMs, virusDepthMass, onExit }: ArenaViewProps,
  { events, hud, chat, life, moments }: GameStores,
  isDebugging: boolean,
) {
  const elementRef = useRef<HTMLDivElement>(null);
  const [isBroken, setBroken] = useState(false);
  const gameRef = useRef<ReturnType<typeof mountGame>>(undefined);
  const send = useCallback<GameRoom['send']>((...message) => gameRef.current?.send(...message) ?? false, []);
  const faceOf = useCallback((name: string) => gameRef.current?.faceOf(name), []);
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
      isSpectator: visit.type === 'spectator',
      isDebugging: () => latest.current.isDebugging,
    });
    const stopHud = fillHud(hud, events, { ownName: player.name, random: Math.random, grudges, faceOf });
    const stopChat = followChat(chat, events, {
      ownName: player.name,
      colourOf: (name) => faceOf(name)?.colour,
      nowMs: serverNowMs,
      askHistory: () => send('requestChatHistory'),
    });
    const stopGuard = guardUnload(visit, events);
    const ears = hearArena(events);
    const stopAlarm = raiseTabAlarm(events);
    const stopSeat = followSeat(events, () => latest.current.onExit());
    const game = mountGame(elementRef.current, {
      visit,
      user: player,
      gameUrl,
      tabHiddenTimeoutMs,
      virusDepthMass,
      events,
      joinRoom,
      moments,
      onFrame: (frame, cost) => {
        frames.onFrame(frame, cost);
        ears.onFrame(frame);
        life.noteMass(frame.own?.mass, frame.nowMs);
        life.witness.note(frame.known, frame.own?.player.id, frame.nowMs);
      },
      onBroken: (error) => {
        console.error(error);
        setBroken(true);
      },
    });
    gameRef.current = game;
    return () => {
      game.dispose();
      ears.stop();
      stopAlarm();
      stopHud();
      stopChat();
      stopGuard();
      stopSeat();
    };
  }, [visit, gameUrl, tabHiddenTimeoutMs, virusDepthMass, events, hud, chat, life, moments, send, faceOf]);

  return { elementRef, isBroken, send, faceOf };
}

/** Clears the stored seat, and returns to the menu when the player has left the room. */
function followSeat(events: ArenaEvents, onExit: () => void): () => void {
  return events.subscribe((event) => {
    if (event.type === 'joined') entryRecord.remove('joinTicket');
    if (event.type !== 'left') return;
    entryRecord.remove(...SEAT_ITEMS);
    if (event.reason) showToast('danger', event.reason);
    onExit();
  });
}
