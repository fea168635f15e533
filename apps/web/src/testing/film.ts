import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import type { Container } from 'pixi.js';
import { createCamera, resizeCamera } from '../features/arena/model/frame/camera.ts';
import type { ShownPlayer, ShownPortal } from '../features/arena/model/frame/frame.ts';
import { advanceGulps, startGulp } from '../features/arena/model/frame/gulps.ts';
import type { Body } from '../features/arena/model/playout/bodies.ts';
import { createPicture } from '../features/arena/render/picture.ts';
import { createStage, type Stage } from '../features/arena/render/stage.ts';
import { loadLettering } from '../features/arena/render/textures/lettering.ts';
import { aBody, aFrame, aPlayer, PLAIN_LOOK } from './arena-fixtures.ts';
import { MIDDLE, SCENES, type SceneStage } from './film-scenes.ts';

/*
 * Plays short scenes with the arena's real renderer and a clock that is moved by hand, so that every picture of a scene
 * can be looked at. Bundled into an empty page, for screenshots and for the test that compares the two renderers.
 */

type FilmOptions = {
  /** The page's own choice unless given. */
  readonly kind?: Stage['kind'];
  /** Frames for membranes to come to rest before the scene begins. */
  readonly settleFrames?: number;
  /** The time between two frames. */
  readonly frameMs?: number;
  readonly hasDetail?: boolean;
};

/** Draws the beginning of a scene, and at every call of `advance` a little more. */
export async function openFilm(
  element: HTMLElement,
  name: string,
  { kind, settleFrames = 30, frameMs = 16, hasDetail = true }: FilmOptions = {},
) {
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
  for (let i = 0; i < settleFrames; i++) draw(frameMs, true);
  for (const body of bodies.values()) body.shownSinceMs = 0;

  return {
    /** What Pixi draws with. */
    renderer: stage.renderer.name,
    layerCount: layers().length,
    advance(byMs: number): void {
      for (let passed = 0; passed < byMs; passed += frameMs) draw(frameMs);
    },
    /** Draws the last picture again, without one of its layers. */
    omit(index: number): void {
      const layer = layers()[index]!;
      const { visible } = layer;
      layer.visible = false;
      // The plain canvas is not cleared, because its ground covers everything.
      if (stage.kind === 'canvas') (stage.renderer.canvas as HTMLCanvasElement).width += 0;
      stage.render();
      layer.visible = visible;
    },
  };

  /** From the back to the front. */
  function layers(): Container[] {
    return stage.root.children.flatMap((layer) => (layer.label === 'world' ? layer.children : layer));
  }

  function draw(elapsedMs: number, isHeld = false): void {
    if (!isHeld) atMs += elapsedMs;
    frame.nowMs += elapsedMs;
    frame.elapsedMs = elapsedMs;
    frame.cells.length = 0;
    frame.viruses.length = 0;
    frame.massFood.length = 0;
    frame.emotes = [];
    const portals: ShownPortal[] = [];
    script(sceneStage(portals), atMs);
    frame.portals = portals;
    frame.own = ownPlayer(frame.cells.filter(({ isOwn }) => isOwn));
    for (const body of bodies.values()) {
      body.wasEaten = ![...frame.cells, ...frame.viruses, ...frame.massFood].includes(body);
    }
    frame.cells.sort((a, b) => a.radius - b.radius);
    advanceGulps(frame.gulps, frame.nowMs);
    picture.draw(frame, { hasDetail, hasMotion: true, maxParticles: 150, look: PLAIN_LOOK });
  }

  function sceneStage(portals: ShownPortal[]): SceneStage {
    return {
      cell(id, playerName, colour, x, y, radius, isOwn = false) {
        const body = bodyOf(id, 'cell', playerName, colour, isOwn);
        frame.cells.push(Object.assign(body, { x, y, radius }));
        return body;
      },
      virus(id, x, y, radius) {
        const body = bodyOf(id, 'virus', undefined, 0, false);
        frame.viruses.push(Object.assign(body, { x, y, radius }));
      },
      drop(id, colour, x, y, radius) {
        const body = bodyOf(id, 'massFood', undefined, colour, false);
        frame.massFood.push(Object.assign(body, { x, y, radius }));
      },
      food(id, colour, x, y, radius) {
        if (frame.food.shown.has(id)) return;
        frame.food.shown.set(id, { id, colour, x, y, radius, mass: 1 });
        frame.food.version++;
      },
      portal: (x, y, id = 90) =>
        portals.push({ id, x, y, radius: 50, opacity: 1, secondsLeft: 14, isOpen: true }),
      tide: (size, goal) => Object.assign(frame.tide, { size, goal }),
      emote(playerName, text) {
        frame.emotes = [{ name: playerName, text, ageMs: 1_000, share: 0.4 }];
      },
      has: (id) => bodies.has(id),
      eat(id, eater) {
        const { kind, colour, x, y, radius } = bodies.get(id)!;
        const prey = kind === 'virus' ? 'cell' : kind;
        startGulp(frame.gulps, { kind: prey, colour, x, y, radius }, eater, frame.nowMs);
        bodies.get(id)!.wasEaten = true;
        bodies.delete(id);
      },
      protect(cell) {
        cell.player!.invulnerableUntilTick = frame.tick + 10 * frame.ticksPerSecond;
      },
      look: (x, y, scale) => Object.assign(camera, { x, y, scale }),
    };
  }

  function ownPlayer(cells: readonly Body[]): ShownPlayer | undefined {
    const [primary] = cells.toSorted((a, b) => b.radius - a.radius);
    if (!primary?.player) return undefined;
    const { player, x, y } = primary;
    return { player, x, y, mass: 100, cellCount: cells.length, primary };
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
