import { type ArenaDecoder, createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { type BodyView, type PlayerView, portalTiming } from '@engulf/netcode/arena-view';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import type { ArenaEvent } from '../net/events.ts';
import { createCamera, holdZoomAfterSplit, isInSight } from './frame/camera.ts';
import { centreOf } from './frame/centre-of.ts';
import type { Frame, OwnPlayer } from './frame/frame.ts';
import { advanceGulps, type Gulp, startGulp } from './frame/gulps.ts';
import { WORLD } from './frame/map-grid.ts';
import { createPortalFades, fadePortals } from './frame/portals.ts';
import { createEjectedMass } from './own/ejected.ts';
import type { Input } from './own/inputs.ts';
import { createPrediction } from './own/prediction.ts';
import {
  type Bodies,
  type Body,
  ENTITY_CACHE,
  findEater,
  isOwnCell,
  isShown,
  markGone,
  markUnseenGone,
  recordBody,
  trimBodies,
} from './playout/bodies.ts';
import {
  createFoodInView,
  forgetFood,
  predictEaten,
  queueFood,
  queueNoFood,
  restoreUneaten,
  showFood,
} from './playout/food.ts';
import { createPlayoutClock, noteArrival, playoutTick } from './playout/playout-clock.ts';
import { showBodies } from './playout/show-bodies.ts';

/** The arena as one screen shows it: bytes in, frames and events out. Runs without a DOM: time is an argument. */
export type ArenaModel = ReturnType<typeof createArenaModel>;

/** Glow and spikes extend beyond the radius. */
const SIGHT_MARGIN = 1.5;

/** Mass ejected a moment ago is at most this far from the edge of its cell. */
const EJECT_REACH_WORLD = 160;

/** `watched` is a stream that is replayed: nobody steers, so no cells are predicted. */
export function createArenaModel(publish: (event: ArenaEvent) => void, watched?: ArenaDecoder) {
  const decoder = watched ?? createArenaDecoder();
  const { view, update } = decoder;
  const bodies: Bodies = new Map();
  const portalFades = createPortalFades();
  const prediction = createPrediction(bodies, absorb);
  const ejectedMass = createEjectedMass(bodies);
  let pointer = { x: 0, y: 0 };
  let clock = createPlayoutClock();
  let lastFrameMs = Number.NaN;
  let ownCellCount = 0;
  let trimmedMs = 0;
  const frame: Frame = {
    nowMs: 0,
    elapsedMs: 0,
    tick: 0,
    ticksPerSecond: 25,
    worldSize: WORLD.size,
    camera: createCamera(),
    cells: [],
    viruses: [],
    massFood: [],
    known: view.bodies,
    gulps: [],
    food: createFoodInView(),
    portals: [],
    portalTiming: undefined,
    own: undefined,
  };
  if (watched?.view.world) {
    frame.worldSize = watched.view.world.worldSize;
    frame.ticksPerSecond = watched.view.world.ticksPerSecond;
    for (const item of watched.view.food.values()) queueFood(frame.food, 0, item, true);
  }

  return {
    frame,
    camera: frame.camera,
    view,
    receive,
    advance,
    jump,
    locate,
    point,
    send,
    delayMs: () => clock.delayMs,
    /** How far the last update moved the own cells, in world units. */
    correction: prediction.correction,
  };

  /** Turns the own cells to where the player points. It may be sent later. */
  function point(x: number, y: number, nowMs: number): void {
    pointer = { x, y };
    prediction.point(x, y, nowMs);
  }

  /** Records an input that is being sent and predicts its effect. Returns the number to send it with. */
  function send(type: Input['type'], nowMs: number): number {
    const { own } = frame;
    if (type === 'eject' && own && view.world) {
      const target = { x: own.x + pointer.x, y: own.y + pointer.y };
      const cells = [...bodies.values()].filter((body) => isOwnCell(body) && isShown(body));
      const isEjected = ejectedMass.launch(view.world.rules, own.player, cells, target, nowMs);
      if (isEjected) publish({ type: 'ejected' });
    }
    return prediction.send(type, pointer.x, pointer.y, nowMs);
  }

  /** An own cell merges with another, or was shown as divided from it too soon. */
  function absorb(body: Body, into: Body): void {
    if (!isShown(body)) return;
    const { colour, x, y, radius } = body;
    startGulp(frame.gulps, { kind: 'cell', colour, x, y, radius }, into, frame.nowMs);
  }

  /** Applies one state message. `needsFull` means that the room has to be asked for a snapshot. */
  function receive(bytes: Uint8Array, nowMs: number): 'applied' | 'needsFull' {
    const lastTick = view.tick;
    const lastPhase = view.world && view.portalPhase;
    if (decodeUpdate(decoder, bytes) === 'needsFull') return 'needsFull';
    const { tick } = update;
    if (update.type === 'full' && view.world) {
      frame.worldSize = view.world.worldSize;
      frame.ticksPerSecond = view.world.ticksPerSecond;
      prediction.adoptRules(view.world.rules);
      if (tick < lastTick || clock.received === 0) clock = createPlayoutClock(frame.ticksPerSecond);
    }
    const isFirst = clock.received === 0;
    noteArrival(clock, tick, nowMs);
    // Nothing is on the screen yet, so the first update is shown at once.
    const shownFrom = isFirst ? playoutTick(clock, nowMs) : tick;
    reconcileOwn(tick, nowMs);
    claimEjected(tick);
    for (const body of view.bodies) {
      const own = ownPlayer();
      recordBody(bodies, tick, shownFrom, body, body.player === own && !!own);
    }
    for (const group of [update.cells, update.massFood, update.viruses]) {
      for (const body of group.remove) markGone(bodies, tick, body);
    }
    if (update.type === 'full') {
      markUnseenGone(bodies, tick);
      queueNoFood(frame.food, tick);
    }
    for (const item of update.food.remove) queueFood(frame.food, tick, item, false);
    for (const item of update.food.add) queueFood(frame.food, shownFrom, item, true);
    if (lastPhase !== undefined && view.portalPhase !== lastPhase) {
      publish({ type: 'portalPhase', phase: view.portalPhase });
    }
    trimCaches(nowMs);
    return 'applied';
  }

  function trimCaches(nowMs: number): void {
    if (nowMs - trimmedMs < ENTITY_CACHE.trimEveryMs) return;
    trimmedMs = nowMs;
    trimBodies(bodies);
    if (frame.food.waiting.length > ENTITY_CACHE.maxPerKind) {
      showFood(frame.food, playoutTick(clock, nowMs), () => {});
    }
  }

  /** For a source that jumps in time: drops everything shown. The next update must be a full one. */
  function jump(): void {
    bodies.clear();
    forgetFood(frame.food);
    frame.gulps.length = 0;
    clock = createPlayoutClock(frame.ticksPerSecond);
  }

  /** The messages do not say when mass was ejected; old mass of ours comes into view far from our cells. */
  function isJustEjected({ player, x, y }: BodyView): boolean {
    if (!player || player !== ownPlayer()) return false;
    return player.cells.some((cell) => Math.hypot(cell.x - x, cell.y - y) < cell.radius + EJECT_REACH_WORLD);
  }

  function claimEjected(tick: number): void {
    if (update.type === 'full') return;
    const unexpected = update.massFood.add.filter(
      (body) => isJustEjected(body) && !ejectedMass.claim(body, tick),
    );
    if (unexpected.length > 0) publish({ type: 'ejected' });
  }

  function reconcileOwn(tick: number, nowMs: number): void {
    const { acknowledged } = view;
    const player = ownPlayer();
    const isFull = update.type === 'full';
    const seen = player?.cells ?? [];
    prediction.reconcile({ tick, player, seen, acknowledged, isFull, fastestMs: clock.fastestMs }, nowMs);
  }

  /** Advances the frame to `nowMs`. `moveCamera` is called once everything else is in place. */
  function advance(nowMs: number, maxGulps: number, moveCamera: (frame: Frame) => void): Frame {
    frame.elapsedMs = Number.isNaN(lastFrameMs) ? 0 : Math.max(0, nowMs - lastFrameMs);
    lastFrameMs = nowMs;
    frame.nowMs = nowMs;
    frame.tick = clock.received === 0 ? 0 : playoutTick(clock, nowMs);
    prediction.show(nowMs, frame.elapsedMs);
    showBodies(bodies, frame.tick, nowMs, (body) => {
      if (body.wasEaten && body.kind !== 'virus') eat(body.kind, body.colour, body.isOwn, body, maxGulps);
    });
    const decayPerSecond = view.world?.rules.boost.decayPerSecond ?? 1;
    ejectedMass.show(decayPerSecond, frame.tick, nowMs, frame.elapsedMs);
    showFood(frame.food, frame.tick, (item) => eat('food', item.colour, false, item, maxGulps));
    eatAhead(maxGulps);
    advanceGulps(frame.gulps, nowMs);
    frame.own = findOwn();
    frame.portals = fadePortals(portalFades, view, frame.elapsedMs);
    frame.portalTiming = portalTiming(view);
    detectSplit();
    moveCamera(frame);
    collectSight();
    return frame;
  }

  function collectSight(): void {
    const { cells, viruses, massFood, camera } = frame;
    cells.length = 0;
    viruses.length = 0;
    massFood.length = 0;
    for (const body of bodies.values()) {
      if (!isShown(body) || !isInSight(camera, body.x, body.y, body.radius * SIGHT_MARGIN)) continue;
      if (body.kind === 'cell') cells.push(body);
      else if (body.kind === 'virus') viruses.push(body);
      else massFood.push(body);
    }
    cells.sort((a, b) => a.radius - b.radius);
  }

  function eatAhead(maxGulps: number): void {
    const { food, nowMs } = frame;
    restoreUneaten(food, (item) => view.food.get(item.id) === item, nowMs);
    for (const body of bodies.values()) {
      if (!isOwnCell(body) || !isShown(body)) continue;
      for (const item of food.shown.values()) {
        const dx = item.x - body.x;
        const dy = item.y - body.y;
        if (dx * dx + dy * dy >= body.radius * body.radius) continue;
        predictEaten(food, item, nowMs);
        eat('food', item.colour, false, item, maxGulps);
      }
    }
  }

  /** Publishes what was eaten in sight and starts its animation. */
  function eat(
    kind: Gulp['kind'],
    colour: number,
    isOwn: boolean,
    prey: { x: number; y: number; radius: number },
    maxGulps: number,
  ): void {
    if (!isInSight(frame.camera, prey.x, prey.y, prey.radius)) return;
    const eater = findEater(bodies, prey.x, prey.y, prey.radius);
    if (!eater) return;
    publish({ type: 'eaten', prey: kind, isOwnPrey: isOwn, isOwnEater: isOwnCell(eater) });
    if (frame.gulps.length >= maxGulps) return;
    const { x, y, radius } = prey;
    startGulp(frame.gulps, { kind, colour, x, y, radius }, eater, frame.nowMs);
  }

  function ownPlayer(): PlayerView | undefined {
    return watched ? undefined : view.own;
  }

  function findOwn(): OwnPlayer | undefined {
    return centreOf(bodies, isOwnCell);
  }

  /** Where a player is shown, in sight or not. */
  function locate(player: number): OwnPlayer | undefined {
    return centreOf(bodies, (body) => body.kind === 'cell' && body.player?.id === player);
  }

  function detectSplit(): void {
    const cellCount = frame.own?.cellCount ?? 0;
    if (ownCellCount > 0 && cellCount > ownCellCount) {
      holdZoomAfterSplit(frame.camera, frame.nowMs);
      publish({ type: 'split', cellCount });
    }
    ownCellCount = cellCount;
  }
}
