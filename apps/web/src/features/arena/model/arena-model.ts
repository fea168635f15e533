import { createArenaDecoder } from '@engulf/netcode/arena-decoder';
import { portalTiming } from '@engulf/netcode/arena-view';
import { decodeUpdate } from '@engulf/netcode/decode-update';
import { radiusToMass } from '@engulf/sim/size';
import {
  type Bodies,
  type Body,
  findEater,
  isOwnCell,
  isShown,
  missBody,
  missUnseenBodies,
  seeBody,
  showBodies,
} from './bodies.ts';
import { createCamera, isInSight, restZoomAfterSplit } from './camera.ts';
import {
  announceFood,
  announceNoFood,
  createFoodInView,
  eatFoodAhead,
  returnUneaten,
  showFood,
} from './food.ts';
import { type Frame, type OwnPlayer, shownColour } from './frame.ts';
import { type Gulp, startGulp, swallow } from './gulps.ts';
import { createPlayoutClock, noteArrival, playoutTick } from './playout-clock.ts';
import { createPortalFades, fadePortals } from './portal-fades.ts';
import { adoptRules, createPrediction, noteInput, reconcile, showPredicted } from './prediction.ts';
import { WORLD } from './world-grid.ts';

/**
 * The arena of one screen without the screen: bytes go in, frames come out. Time is an argument, so that it
 * runs in a test as it does in a page.
 */
export type ArenaModel = ReturnType<typeof createArenaModel>;

/** Until the first pings are back. */
const ASSUMED_RTT_MS = 60;
/** Glow and spikes reach beyond the radius. */
const SIGHT_MARGIN = 1.5;

export function createArenaModel() {
  const decoder = createArenaDecoder();
  const { view, update } = decoder;
  const bodies: Bodies = new Map();
  const portalFades = createPortalFades();
  const prediction = createPrediction();
  let rttMs = ASSUMED_RTT_MS;
  let clock = createPlayoutClock();
  let lastFrameMs = Number.NaN;
  let ownCellCount = 0;
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
    gulps: [],
    food: createFoodInView(),
    portals: [],
    portalTiming: undefined,
    own: undefined,
  };

  return {
    frame,
    camera: frame.camera,
    view,
    receive,
    advance,
    /** The pointer as it was sent. */
    steer: (x: number, y: number, nowMs: number) => noteInput(prediction, x, y, nowMs),
    measured: (roundTripMs: number) => {
      rttMs = roundTripMs;
    },
    delayMs: () => clock.delayMs,
  };

  /** Takes in one state message. `needsFull` means that the room has to be asked for a snapshot. */
  function receive(bytes: Uint8Array, nowMs: number): 'applied' | 'needsFull' {
    const lastTick = view.tick;
    if (decodeUpdate(decoder, bytes) === 'needsFull') return 'needsFull';
    const { tick } = update;
    if (update.type === 'full' && view.world) {
      frame.worldSize = view.world.worldSize;
      frame.ticksPerSecond = view.world.ticksPerSecond;
      adoptRules(prediction, view.world.movement);
      if (tick < lastTick || clock.received === 0) clock = createPlayoutClock(frame.ticksPerSecond);
    }
    noteArrival(clock, tick, nowMs);
    for (const body of view.bodies) seeBody(bodies, tick, body, body.player === view.own && !!view.own);
    for (const group of [update.cells, update.massFood, update.viruses]) {
      for (const body of group.remove) missBody(bodies, tick, body);
    }
    if (update.type === 'full') {
      missUnseenBodies(bodies, tick);
      announceNoFood(frame.food, tick);
    }
    for (const item of update.food.remove) announceFood(frame.food, tick, item, false);
    for (const item of update.food.add) announceFood(frame.food, tick, item, true);
    reconcileOwn(tick);
    return 'applied';
  }

  /** An input that is sent now takes effect a round trip after the tick that arrives now. */
  function reconcileOwn(tick: number): void {
    const own = (view.own?.cells ?? []).flatMap((cell) => {
      const body = bodies.get(cell.id);
      return body ? [{ body, x: cell.x, y: cell.y, radius: cell.radius }] : [];
    });
    reconcile(prediction, own, tick * clock.stepMs + clock.fastestMs - rttMs);
  }

  /** Brings the frame to `nowMs`. `moveCamera` is called once everything else is in its place. */
  function advance(nowMs: number, maxGulps: number, moveCamera: (frame: Frame) => void): Frame {
    frame.elapsedMs = Number.isNaN(lastFrameMs) ? 0 : Math.max(0, nowMs - lastFrameMs);
    lastFrameMs = nowMs;
    frame.nowMs = nowMs;
    frame.tick = clock.received === 0 ? 0 : playoutTick(clock, nowMs);
    showBodies(bodies, frame.tick, nowMs, (body) => {
      if (body.wasEaten && body.kind !== 'virus') gulp(body.kind, body.colour, body.isOwn, body, maxGulps);
    });
    showPredicted(prediction, nowMs, frame.elapsedMs);
    showFood(frame.food, frame.tick, (item) => gulp('food', item.colour, false, item, maxGulps));
    eatAhead(maxGulps);
    swallow(frame.gulps, nowMs);
    frame.own = findOwn();
    frame.portals = fadePortals(portalFades, view, frame.elapsedMs);
    frame.portalTiming = portalTiming(view);
    noteSplit();
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
    returnUneaten(food, (item) => view.food.get(item.id) === item, nowMs);
    for (const body of bodies.values()) {
      if (!isOwnCell(body) || !isShown(body)) continue;
      for (const item of food.shown.values()) {
        const dx = item.x - body.x;
        const dy = item.y - body.y;
        if (dx * dx + dy * dy >= body.radius * body.radius) continue;
        eatFoodAhead(food, item, nowMs);
        gulp('food', item.colour, false, item, maxGulps);
      }
    }
  }

  function gulp(
    kind: Gulp['kind'],
    colour: number,
    isOwn: boolean,
    prey: { x: number; y: number; radius: number },
    maxGulps: number,
  ): void {
    if (frame.gulps.length >= maxGulps) return;
    if (!isInSight(frame.camera, prey.x, prey.y, prey.radius)) return;
    const eater = findEater(bodies, prey.x, prey.y, prey.radius);
    if (!eater) return;
    const { x, y, radius } = prey;
    const shown = kind === 'food' ? colour : shownColour(colour, isOwn, view.own?.colour);
    startGulp(frame.gulps, { kind, colour: shown, x, y, radius }, eater, frame.nowMs);
  }

  function findOwn(): OwnPlayer | undefined {
    let x = 0;
    let y = 0;
    let mass = 0;
    let cellCount = 0;
    let primary: Body | undefined;
    for (const body of bodies.values()) {
      if (!isOwnCell(body) || !isShown(body)) continue;
      const cellMass = radiusToMass(body.radius);
      x += body.x * cellMass;
      y += body.y * cellMass;
      mass += cellMass;
      cellCount++;
      if (!primary || body.radius > primary.radius) primary = body;
    }
    if (!primary?.player) return undefined;
    return { player: primary.player, x: x / mass, y: y / mass, mass, cellCount, primary };
  }

  function noteSplit(): void {
    const cellCount = frame.own?.cellCount ?? 0;
    if (ownCellCount > 0 && cellCount > ownCellCount) restZoomAfterSplit(frame.camera, frame.nowMs);
    ownCellCount = cellCount;
  }
}
