import type { User } from '@engulf/protocol/user';
import type { ArenaSession } from './arena-visit.ts';
import { createHudReport } from './hud/hud-frames.ts';
import type { HudStore } from './hud/hud-store.ts';
import { listenToKeys, playerKeys } from './input/keyboard.ts';
import { flySpectatorCamera } from './input/spectator-camera.ts';
import { steerByPointer } from './input/steering.ts';
import { lobbyUnit } from './lobby-unit.ts';
import { type ArenaModel, createArenaModel } from './model/arena-model.ts';
import { followPlayer, resizeCamera, turnWheel } from './model/camera.ts';
import type { Frame } from './model/frame.ts';
import { enterRoom, type GameRoom } from './net/game-room.ts';
import type { JoinRoom } from './net/room-client.ts';
import { createPicture } from './render/picture.ts';
import { createFramePace, drawQuality } from './render/quality.ts';
import { createStage } from './render/stage.ts';
import { loadLettering } from './render/textures/lettering.ts';

export type GameDeps = {
  readonly session: ArenaSession;
  readonly user: User;
  readonly hud: HudStore;
  readonly joinRoom: JoinRoom;
  readonly onJoined: () => void;
  readonly onLeave: (message?: { title: string; text: string }) => void;
  /** The engine itself did not start. */
  readonly onBroken: (error: unknown) => void;
  /** Whether the debug panel wants figures. */
  readonly isDebugging: () => boolean;
};

/** Puts a running arena into the element. Disposing it leaves the room. */
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
  const [stage] = await Promise.all([createStage(element), loadLettering()]);
  if (isCancelled()) {
    stage.destroy();
    return undefined;
  }
  const { session, hud } = deps;
  const model = createArenaModel();
  const picture = createPicture(stage, lobbyUnit(session.lobby));
  const fillElement = () => {
    stage.resize(Math.max(1, element.clientWidth), Math.max(1, element.clientHeight));
    resizeCamera(model.camera, element.clientWidth, element.clientHeight);
  };
  fillElement();
  const observer = new ResizeObserver(fillElement);
  observer.observe(element);
  const room = enterRoom({
    ...deps,
    screen: { widthPx: element.clientWidth, heightPx: element.clientHeight },
    onState: (bytes) => model.receive(bytes, performance.now()),
  });
  const control =
    session.type === 'spectator'
      ? flySpectatorCamera(element, model.camera, () => hud.getState().leaderboard[0]?.name)
      : controlPlayer(element, model, room, hud);
  const report = createHudReport({
    hud,
    isSpectator: session.type === 'spectator',
    isDebugging: deps.isDebugging,
    renderer: stage.kind,
    delayMs: model.delayMs,
    bytesReceived: () => room.bytesReceived,
  });
  const pace = createFramePace();
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)');
  let request = requestAnimationFrame(drawFrame);

  return () => {
    cancelAnimationFrame(request);
    control.stop();
    room.dispose();
    observer.disconnect();
    picture.destroy();
    stage.destroy();
  };

  function drawFrame(): void {
    request = requestAnimationFrame(drawFrame);
    const nowMs = performance.now();
    const { connection } = hud.getState();
    if (connection) model.measured(connection.averageRttMs);
    const quality = drawQuality({
      connection: connection?.quality ?? 'excellent',
      prefersReducedMotion: reducedMotion.matches,
      isMachineFast: pace.isFast,
    });
    const frame = model.advance(nowMs, quality.maxGulps, control.move);
    picture.draw(frame, quality);
    const frameMs = performance.now() - nowMs;
    pace.note(frameMs, frame.elapsedMs);
    report(frame, frameMs);
  }
}

function controlPlayer(element: HTMLElement, model: ArenaModel, room: GameRoom, hud: HudStore) {
  const { camera } = model;
  const isAlive = () => hud.getState().phase === 'playing' && hud.getState().end === undefined;
  const steering = steerByPointer(element, camera, (offset) => {
    if (!isAlive()) return;
    room.send('movement', offset);
    model.steer(offset.x, offset.y, performance.now());
  });
  const keys = playerKeys({ eject: () => room.send('ejectMass'), split: () => room.send('split') });
  const stopKeys = listenToKeys(keys, isAlive);
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    turnWheel(camera, event.deltaY);
  };
  element.addEventListener('wheel', onWheel, { passive: false });
  return {
    move({ own, nowMs, elapsedMs }: Frame) {
      if (own) followPlayer(camera, own, nowMs, elapsedMs);
    },
    stop() {
      steering.stop();
      stopKeys();
      element.removeEventListener('wheel', onWheel);
    },
  };
}
