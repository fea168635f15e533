import type { User } from '@engulf/protocol/user';
import { prefersReducedMotion } from '../../shared/appearance.ts';
import { lobbyUnit } from '../../shared/lobby-money.ts';
import { settings } from '../../shared/settings.ts';
import type { ArenaVisit } from './arena-visit.ts';
import { restOnLeave } from './input/cursor-leave.ts';
import { listenToKeys } from './input/keyboard.ts';
import { flySpectatorCamera } from './input/spectator-camera.ts';
import { steerByPointer } from './input/steering.ts';
import { type ArenaModel, createArenaModel } from './model/arena-model.ts';
import { followPlayer, resizeCamera, turnWheel } from './model/camera.ts';
import type { Frame, FrameCost } from './model/frame.ts';
import type { ConnectionQuality } from './net/connection-metrics.ts';
import type { ArenaEvents } from './net/events.ts';
import { enterRoom, type GameRoom } from './net/game-room.ts';
import type { JoinRoom } from './net/room-client.ts';
import { readLook } from './read-look.ts';
import { createPicture } from './render/picture.ts';
import { createFramePace, drawQuality } from './render/quality.ts';
import { createStage } from './render/stage.ts';
import { loadLettering } from './render/textures/lettering.ts';

type GameDeps = {
  readonly visit: ArenaVisit;
  readonly user: User;
  readonly gameUrl: string | null;
  /** Carries everything that happens in the room and on the screen. */
  readonly events: ArenaEvents;
  readonly joinRoom: JoinRoom;
  /** Called after every frame. */
  readonly onFrame: (frame: Frame, cost: FrameCost) => void;
  /** The render engine failed to start. */
  readonly onBroken: (error: unknown) => void;
};

/** Runs an arena in the element. Disposing it leaves the room. */
export function mountGame(element: HTMLElement, deps: GameDeps): { dispose(): void } {
  let stop: (() => void) | undefined;
  let isDisposed = false;
  start(element, deps, () => isDisposed).then(
    (stopGame) => {
      if (isDisposed) stopGame?.();
      else stop = stopGame;
    },
    (error: unknown) => {
      if (!isDisposed) deps.onBroken(error);
    },
  );
  return {
    dispose() {
      isDisposed = true;
      stop?.();
    },
  };
}

async function start(
  element: HTMLElement,
  deps: GameDeps,
  isCancelled: () => boolean,
): Promise<(() => void) | undefined> {
  // React may mount twice in a row, and a ticket is good for one join.
  await Promise.resolve();
  if (isCancelled()) return undefined;
  const { visit, events } = deps;
  const model = createArenaModel(events.publish);
  const drawing = Promise.all([createStage(element), loadLettering()]);
  // Joining takes about as long as getting ready to draw, so both go on at once.
  const room = enterRoom({
    ...deps,
    screen: { widthPx: element.clientWidth, heightPx: element.clientHeight },
    canDraw: drawing,
    onState: (bytes) => model.receive(bytes, performance.now()),
  });
  const [stage] = await drawing.catch((error: unknown) => {
    room.dispose();
    throw error;
  });
  if (isCancelled()) {
    room.dispose();
    stage.destroy();
    return undefined;
  }
  const picture = createPicture(stage, lobbyUnit(visit.lobby));
  const fillElement = () => {
    stage.resize(Math.max(1, element.clientWidth), Math.max(1, element.clientHeight));
    resizeCamera(model.camera, element.clientWidth, element.clientHeight);
  };
  fillElement();
  const observer = new ResizeObserver(fillElement);
  observer.observe(element);

  let connection: ConnectionQuality = 'excellent';
  let topName: string | undefined;
  let isOver = false;
  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'connectionMeasured') connection = event.metrics.quality;
    else if (event.type === 'leaderboard') topName = event.payload.leaderboard[0]?.name;
    else if (event.type === 'gameOver' || event.type === 'disconnected') isOver = true;
  });
  const control =
    visit.type === 'spectator'
      ? flySpectatorCamera(element, model.camera, () => topName)
      : controlPlayer(element, model, room, () => model.frame.own !== undefined && !isOver);
  const pace = createFramePace();
  let look = readLook();
  const stopSettings = settings.subscribe(() => {
    look = readLook();
  });
  let request = requestAnimationFrame(drawFrame);

  return () => {
    cancelAnimationFrame(request);
    control.stop();
    room.dispose();
    unsubscribe();
    stopSettings();
    observer.disconnect();
    picture.destroy();
    stage.destroy();
  };

  function drawFrame(): void {
    request = requestAnimationFrame(drawFrame);
    const nowMs = performance.now();
    const quality = drawQuality({
      connection,
      prefersReducedMotion: prefersReducedMotion(),
      isMachineFast: pace.isFast,
      look,
    });
    const frame = model.advance(nowMs, quality.maxParticles, control.move);
    picture.draw(frame, quality);
    const frameMs = performance.now() - nowMs;
    pace.note(frameMs, frame.elapsedMs);
    deps.onFrame(frame, { frameMs, renderer: stage.kind, delayMs: model.delayMs() });
  }
}

function controlPlayer(element: HTMLElement, model: ArenaModel, room: GameRoom, isAlive: () => boolean) {
  const { camera } = model;
  const steering = steerByPointer(element, camera, isAlive, {
    onPoint: ({ x, y }) => model.point(x, y, performance.now()),
    onSend: ({ x, y }) => room.send('movement', { x, y, seq: model.send('steer', performance.now()) }),
  });
  const stopKeys = listenToKeys(
    'player',
    {
      eject: () => room.send('ejectMass', { seq: model.send('eject', performance.now()) }),
      split: () => room.send('split', { seq: model.send('split', performance.now()) }),
    },
    isAlive,
  );
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
      steering.stop();
      stopResting();
      stopKeys();
      element.removeEventListener('wheel', onWheel);
    },
  };
}
