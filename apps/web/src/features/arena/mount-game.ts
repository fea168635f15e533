import type { ConnectionQuality } from '@engulf/protocol/room/connection-quality';
import type { User } from '@engulf/protocol/user';
import { isFreeLobby, lobbyUnit } from '../../shared/lobby-money.ts';
import { settings } from '../../shared/settings.ts';
import { isSilenced } from '../../shared/silenced.ts';
import type { ArenaVisit } from './arena-visit.ts';
import { drawArena } from './draw-arena.ts';
import { findMatch, renewLobby } from './find-match.ts';
import { emoteOf } from './input/actions.ts';
import { restOnLeave } from './input/cursor-leave.ts';
import { listenToKeys } from './input/keyboard.ts';
import { signInputs } from './input/sign-inputs.ts';
import { flySpectatorCamera } from './input/spectator-camera.ts';
import { steerByPointer } from './input/steering.ts';
import { keepReceipts } from './keep-receipts.ts';
import { type ArenaModel, createArenaModel } from './model/arena-model.ts';
import { followPlayer, turnWheel } from './model/frame/camera.ts';
import { createEmotes } from './model/frame/emotes.ts';
import { type Face, findFace } from './model/frame/face.ts';
import type { Frame, FrameCost } from './model/frame/frame.ts';
import type { LastMoments } from './model/last-moments.ts';
import type { ArenaEvents } from './net/events.ts';
import { enterRoom, type GameRoom } from './net/game-room.ts';
import type { JoinRoom } from './net/room-link.ts';
import { createStage } from './render/stage.ts';
import { loadLettering } from './render/textures/lettering.ts';

type GameDeps = {
  readonly visit: ArenaVisit;
  readonly user: User;
  readonly gameUrl: string | null;
  readonly tabHiddenTimeoutMs: number;
  readonly virusDepthMass: number;
  /** Carries everything that happens in the room and on the screen. */
  readonly events: ArenaEvents;
  readonly joinRoom: JoinRoom;
  /** Keeps the last seconds. */
  readonly moments: LastMoments;
  /** Called after every frame. */
  readonly onFrame: (frame: Frame, cost: FrameCost) => void;
  /** The render engine failed to start. */
  readonly onBroken: (error: unknown) => void;
};

type MountedGame = {
  readonly send: GameRoom['send'];
  /** What somebody in the arena looks like; undefined for who was not in sight. */
  faceOf(name: string): Face | undefined;
  dispose(): void;
};

/** The parts that run before anything can be drawn. */
type Connected = { readonly room: GameRoom; readonly model: ArenaModel };

/** Runs an arena in the element. Disposing it leaves the room. */
export function mountGame(element: HTMLElement, deps: GameDeps): MountedGame {
  let stop: (() => void) | undefined;
  let connected: Connected | undefined;
  let isDisposed = false;
  const keep = (next: Connected) => {
    connected = next;
  };
  start(element, deps, keep, () => isDisposed).then(
    (stopGame) => {
      if (isDisposed) stopGame?.();
      else stop = stopGame;
    },
    (error: unknown) => {
      if (!isDisposed) deps.onBroken(error);
    },
  );
  return {
    send: (...message) => connected?.room.send(...message) ?? false,
    faceOf: (name) => connected && findFace(connected.model.view, name),
    dispose() {
      isDisposed = true;
      stop?.();
    },
  };
}

async function start(
  element: HTMLElement,
  deps: GameDeps,
  onConnected: (connected: Connected) => void,
  isCancelled: () => boolean,
): Promise<(() => void) | undefined> {
  // React may mount twice in a row, and a ticket is good for one join.
  await Promise.resolve();
  if (isCancelled()) return undefined;
  const { visit, events } = deps;
  // Subscribed before anything arrives: the room sends some messages only once.
  let connection: ConnectionQuality = 'excellent';
  let isOver = false;
  let isLost = false;
  let isTesting = false;
  let topName: string | undefined;
  const emotes = createEmotes();
  const stopKeeping = keepReceipts(events);
  const signing = signInputs(events, (...message) => room.send(...message));
  const stopListening = events.subscribe((event) => {
    if (event.type === 'connectionMeasured') {
      const { quality: level } = event.metrics;
      // Repeated while it is not the best: after a return, the room assumes the best.
      if (visit.type === 'player' && (level !== connection || level !== 'excellent')) {
        room.send('quality', { level });
      }
      connection = level;
    } else if (event.type === 'emote') {
      const { name, emote } = event.payload;
      if (!isSilenced(name)) emotes.note(name, emote, performance.now());
    } else if (event.type === 'leaderboard') topName = event.payload.leaderboard[0]?.name;
    else if (event.type === 'welcome') isTesting = event.payload.isTesting;
    else if (event.type === 'countdown') isLost = event.countdown?.kind === 'lost';
    else if (event.type === 'gameOver' || event.type === 'disconnected') {
      isOver = true;
      deps.moments.end();
    }
  });
  const unsubscribe = () => {
    stopListening();
    stopKeeping();
    signing.stop();
  };
  const model = createArenaModel(events.publish);
  const drawing = Promise.all([createStage(element), loadLettering()]);
  // Joining takes about as long as preparing to draw, so both run at once.
  const room = enterRoom({
    ...deps,
    findMatch,
    renewLobby,
    isFree: isFreeLobby(visit.lobby),
    screen: { widthPx: element.clientWidth, heightPx: element.clientHeight },
    canDraw: drawing,
    onState: (bytes) => {
      if (visit.type === 'player') deps.moments.note(bytes);
      const received = model.receive(bytes, performance.now());
      if (received === 'applied') signing.noteUpdate(model.view);
      return received;
    },
  });
  onConnected({ room, model });
  const [stage] = await drawing.catch((error: unknown) => {
    room.dispose();
    unsubscribe();
    throw error;
  });
  if (isCancelled()) {
    room.dispose();
    unsubscribe();
    stage.destroy();
    return undefined;
  }
  const control =
    visit.type === 'spectator'
      ? flySpectatorCamera(element, {
          camera: model.camera,
          view: model.view,
          events,
          topName: () => topName,
        })
      : controlPlayer(element, model, room, signing, events, {
          canPlay: () => model.frame.own !== undefined && !isOver && !isLost,
          isTesting: () => isTesting,
        });
  const stopDrawing = drawArena(element, stage, {
    camera: model.camera,
    unit: lobbyUnit(visit.lobby),
    virusDepthMass: deps.virusDepthMass,
    connection: () => connection,
    advance: (nowMs, maxParticles) => {
      const frame = model.advance(nowMs, maxParticles, control.move);
      frame.emotes = emotes.shown(nowMs);
      return frame;
    },
    onFrame: (frame, frameMs) => {
      room.noteFrame(frame.elapsedMs);
      deps.onFrame(frame, { frameMs, renderer: stage.kind, delayMs: model.delayMs() });
    },
  });

  return () => {
    stopDrawing();
    control.stop();
    room.dispose();
    unsubscribe();
    stage.destroy();
  };
}

/** Below what the room and the chat allow. */
const EMOTE_EVERY_MS = 2_000;

function controlPlayer(
  element: HTMLElement,
  model: ArenaModel,
  room: GameRoom,
  signing: ReturnType<typeof signInputs>,
  events: ArenaEvents,
  { canPlay, isTesting }: { canPlay: () => boolean; isTesting: () => boolean },
) {
  const { camera } = model;
  let emotedMs = Number.NEGATIVE_INFINITY;
  const steering = steerByPointer(element, camera, canPlay, {
    onPoint: ({ x, y }) => model.point(x, y, performance.now()),
    onSend: ({ x, y }) => {
      const seq = model.send('steer', performance.now());
      if (room.send('movement', { x, y, seq })) signing.noteSent(seq, 'steer', x, y);
    },
  });
  const press = (message: 'ejectMass' | 'split', type: 'eject' | 'split') => {
    const seq = model.send(type, performance.now());
    if (room.send(message, { seq })) signing.noteSent(seq, type);
  };
  const stopKeys = listenToKeys(
    'player',
    {
      eject: () => press('ejectMass', 'eject'),
      split: () => press('split', 'split'),
      test: () => isTesting() && room.send('f4Testing'),
      emote: (code) => {
        const nowMs = performance.now();
        if (nowMs - emotedMs < EMOTE_EVERY_MS) return;
        emotedMs = nowMs;
        room.send('emote', { emote: emoteOf(code) });
      },
    },
    canPlay,
  );
  // On a new connection the room may not have heard where the pointer was left on the old one.
  const unsubscribe = events.subscribe(({ type }) => type === 'welcome' && steering.resend());
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    turnWheel(camera, event.deltaY);
  };
  element.addEventListener('wheel', onWheel, { passive: false });
  const stopResting = restOnLeave(element, () => settings.read('continuity'));
  return {
    move({ own, nowMs, elapsedMs }: Frame) {
      if (own) followPlayer(camera, own, nowMs, elapsedMs);
      steering.update();
    },
    stop() {
      unsubscribe();
      steering.stop();
      stopResting();
      stopKeys();
      element.removeEventListener('wheel', onWheel);
    },
  };
}
