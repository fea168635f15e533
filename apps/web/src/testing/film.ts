import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import { createCamera, resizeCamera } from '../features/arena/model/frame/camera.ts';
import type { ShownPortal } from '../features/arena/model/frame/frame.ts';
import { advanceGulps, startGulp } from '../features/arena/model/frame/gulps.ts';
import type { Body } from '../features/arena/model/playout/bodies.ts';
import { createPicture } from '../features/arena/render/picture.ts';
import { createStage } from '../features/arena/render/stage.ts';
import { loadLettering } from '../features/arena/render/textures/lettering.ts';
import { aBody, aFrame, aPlayer, PLAIN_LOOK } from './arena-fixtures.ts';

/*
 * Plays short scenes with the arena's real renderer and a clock that is moved by hand, so that every picture of a scene
 * can be looked at. Bundled into an empty page by the script that takes screenshots.
 */

const MIDDLE = 3_500;
const QUALITY = { hasDetail: true, hasMotion: true, maxParticles: 150, look: PLAIN_LOOK } as const;

type Scene = (stage: SceneStage, atMs: number) => void;

const SCENES: { readonly [name: string]: Scene } = {
  /** A cell swallows another player. */
  engulf(stage, atMs) {
    const eater = stage.cell(1, 'MoonYolk', 0, MIDDLE - 40, MIDDLE, 150, true);
    const closing = Math.min(1, atMs / 500);
    if (atMs < 500) {
      stage.cell(2, 'nibbler', 3, MIDDLE + 230 - 125 * closing, MIDDLE - 90 + 40 * closing, 52);
    } else if (stage.has(2)) stage.eat(2, eater);
  },
  split(stage, atMs) {
    const sinceMs = Math.max(0, atMs - 120);
    const radius = atMs < 120 ? 150 : 106;
    const flown = 330 * (1 - Math.exp(-sinceMs / 260));
    stage.cell(1, 'MoonYolk', 6, MIDDLE - 120, MIDDLE, radius, true);
    if (atMs >= 120)
      stage.cell(2, 'MoonYolk', 6, MIDDLE - 120 + 30 + flown, MIDDLE - 0.3 * flown, radius, true);
  },
  burst(stage, atMs) {
    const isBurst = atMs >= 360;
    const x = MIDDLE - 190 + 0.42 * Math.min(360, atMs);
    if (!isBurst) stage.virus(50, MIDDLE + 90, MIDDLE, 92);
    stage.cell(1, 'MoonYolk', 4, x, MIDDLE, isBurst ? 84 : 170, true);
    if (!isBurst) return;
    const flown = 260 * (1 - Math.exp(-(atMs - 360) / 240));
    for (let piece = 0; piece < 7; piece++) {
      const angle = (piece / 7) * 2 * Math.PI + 0.4;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      stage.cell(10 + piece, 'MoonYolk', 4, x + flown * cos, MIDDLE + flown * sin, 40 + 4 * piece, true);
    }
  },
  portal(stage, atMs) {
    stage.portal(MIDDLE + 130, MIDDLE);
    if (atMs < 340) stage.cell(1, 'MoonYolk', 0, MIDDLE - 60 + 0.42 * atMs, MIDDLE - 20, 90, true);
  },
  /** Touching: the border, a virus and another cell of the same size. */
  touch(stage, atMs) {
    const squeeze = 60 * Math.min(1, atMs / 400);
    stage.look(700, 480, 0.55);
    stage.cell(1, 'MoonYolk', 0, 420, 240 - squeeze, 140, true);
    stage.cell(2, 'Wobble', 6, 760 - squeeze, 330, 150);
    stage.cell(3, 'OozeLord', 5, 1050 - squeeze * 1.6, 340, 145);
    stage.virus(50, 500 - squeeze, 760, 92);
    stage.cell(4, 'ser_blob', 2, 720 - squeeze, 760, 165);
  },
};

type SceneStage = {
  cell(id: number, name: string, colour: number, x: number, y: number, radius: number, isOwn?: boolean): Body;
  virus(id: number, x: number, y: number, radius: number): void;
  portal(x: number, y: number): void;
  has(id: number): boolean;
  eat(id: number, eater: Body): void;
  look(x: number, y: number, scale: number): void;
};

/** Draws one scene up to `untilMs` and then at every call a little further. */
export async function openFilm(element: HTMLElement, kind: 'webgl' | 'canvas', name: string) {
  const [stage] = await Promise.all([createStage(element, kind), loadLettering()]);
  const picture = createPicture(stage, 'SOL');
  const camera = createCamera();
  resizeCamera(camera, element.clientWidth, element.clientHeight);
  camera.scale = 1;
  const frame = aFrame({ camera, worldSize: 2 * MIDDLE });
  const bodies = new Map<number, Body>();
  const players = new Map<string, PlayerView>();
  const script = SCENES[name]!;
  let atMs = 0;
  // Portraits are loaded on first sight.
  draw(0);
  await new Promise((resolve) => setTimeout(resolve, 300));
  for (let i = 0; i < 30; i++) draw(16, true);
  for (const body of bodies.values()) body.shownSinceMs = 0;

  return {
    advance(byMs: number): void {
      for (let passed = 0; passed < byMs; passed += 16) draw(16);
    },
  };

  function draw(elapsedMs: number, isHeld = false): void {
    if (!isHeld) atMs += elapsedMs;
    frame.nowMs += elapsedMs;
    frame.elapsedMs = elapsedMs;
    frame.cells.length = 0;
    frame.viruses.length = 0;
    const portals: ShownPortal[] = [];
    script(
      {
        cell(id, playerName, colour, x, y, radius, isOwn = false) {
          const body = bodyOf(id, 'cell', playerName, colour, isOwn);
          Object.assign(body, { x, y, radius });
          frame.cells.push(body);
          return body;
        },
        virus(id, x, y, radius) {
          const body = bodyOf(id, 'virus', undefined, 0, false);
          frame.viruses.push(Object.assign(body, { x, y, radius }));
        },
        portal: (x, y) =>
          portals.push({ id: 90, x, y, radius: 50, opacity: 1, secondsLeft: 14, isOpen: true }),
        has: (id) => bodies.has(id),
        eat(id, eater) {
          const { colour, x, y, radius } = bodies.get(id)!;
          startGulp(frame.gulps, { kind: 'cell', colour, x, y, radius }, eater, frame.nowMs);
          bodies.get(id)!.wasEaten = true;
          bodies.delete(id);
        },
        look(x, y, scale) {
          camera.scale = scale;
          camera.x = x;
          camera.y = y;
        },
      },
      atMs,
    );
    frame.portals = portals;
    for (const body of bodies.values()) {
      body.wasEaten = !frame.cells.includes(body) && !frame.viruses.includes(body);
    }
    frame.cells.sort((a, b) => a.radius - b.radius);
    advanceGulps(frame.gulps, frame.nowMs);
    picture.draw(frame, QUALITY);
  }

  function bodyOf(
    id: number,
    kindOf: Body['kind'],
    playerName: string | undefined,
    colour: number,
    isOwn: boolean,
  ): Body {
    let body = bodies.get(id);
    if (!body) {
      const player = playerName === undefined ? undefined : playerOf(playerName, colour);
      body = aBody({ id, kind: kindOf, player, colour, isOwn, shownSinceMs: frame.nowMs });
      bodies.set(id, body);
    }
    return body;
  }

  function playerOf(playerName: string, colour: number): PlayerView {
    let player = players.get(playerName);
    if (!player) {
      player = aPlayer(playerName, colour);
      players.set(playerName, player);
    }
    return player;
  }
}
