import { type ArenaDecoder, createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { type PlayerView, portalTiming } from '@engulf/netcode/decode/arena-view';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import type { OwnCellRules } from '@engulf/sim/own-cells';
import type { ArenaEvent } from '../net/events.ts';
import { holdZoomAfterSplit } from './frame/camera.ts';
import { centreOf } from './frame/centre-of.ts';
import { createEating } from './frame/eating.ts';
import { adoptWorld, createFrame, type Frame, type ShownPlayer } from './frame/frame.ts';
import { advanceGulps } from './frame/gulps.ts';
import { createPortalFades, fadePortals } from './frame/portals.ts';
import { showTide } from './frame/shown-tide.ts';
import { collectSight } from './frame/sight.ts';
import { meetPrey } from './own/eaten-ahead.ts';
import { createEjectedMass } from './own/ejected.ts';
import type { Input } from './own/inputs.ts';
import { createPrediction } from './own/prediction.ts';
import { type Bodies, ENTITY_CACHE, isOwnCell, isShown, trimBodies } from './playout/bodies.ts';
import { forgetFood, queueFood, showFood } from './playout/food.ts';
import { createPlayoutClock, noteArrival, playoutTick } from './playout/playout-clock.ts';
import { recordUpdate } from './playout/record-update.ts';
import { showBodies } from './playout/show-bodies.ts';

/** The arena as one screen shows it: bytes in, frames and events out. Runs without a DOM: time is an argument. */
export type ArenaModel = ReturnType<typeof createArenaModel>;

/** `watched` is a stream that is replayed: nobody steers, so no cells are predicted. */
export function createArenaModel(publish: (event: ArenaEvent) => void, watched?: ArenaDecoder) {
  const decoder = watched ?? createArenaDecoder();
  const { view, update } = decoder;
  const bodies: Bodies = new Map();
  const frame = createFrame(view);
  const eating = createEating(frame, bodies, publish);
  const prediction = createPrediction(bodies, eating.absorb);
  const ejectedMass = createEjectedMass(bodies);
  const portalFades = createPortalFades();
  let pointer = { x: 0, y: 0 };
  let clock = createPlayoutClock();
  let lastFrameMs = Number.NaN;
  let ownCellCount = 0;
  let trimmedMs = 0;
  for (const item of view.food.values()) queueFood(frame.food, 0, item, true);

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

  /** Applies one state message. `needsFull` means that the room has to be asked for a snapshot. */
  function receive(bytes: Uint8Array, nowMs: number): 'applied' | 'needsFull' {
    const lastTick = view.tick;
    const lastPhase = view.world && view.portalPhase;
    if (decodeUpdate(decoder, bytes) === 'needsFull') return 'needsFull';
    const { tick } = update;
    if (update.type === 'full' && view.world) {
      adoptWorld(frame, view.world);
      prediction.adoptRules(view.world.rules);
      if (tick < lastTick || clock.received === 0) clock = createPlayoutClock(frame.ticksPerSecond);
    }
    const isFirst = clock.received === 0;
    noteArrival(clock, tick, nowMs);
    // Nothing is on the screen yet, so the first update is shown at once.
    const shownFrom = isFirst ? playoutTick(clock, nowMs) : tick;
    const own = watched ? undefined : view.own;
    reconcileOwn(own, nowMs);
    recordUpdate(decoder, own, bodies, frame.food, shownFrom);
    if (lastPhase !== undefined && view.portalPhase !== lastPhase) {
      publish({ type: 'portalPhase', phase: view.portalPhase });
    }
    trimCaches(nowMs);
    return 'applied';
  }

  function reconcileOwn(player: PlayerView | undefined, nowMs: number): void {
    const { tick } = update;
    const { acknowledged, tide } = view;
    const isFull = update.type === 'full';
    const seen = player?.cells ?? [];
    prediction.reconcile(
      { tick, player, seen, acknowledged, tide, isFull, fastestMs: clock.fastestMs },
      nowMs,
    );
    const isUnexpected = player && !isFull && ejectedMass.claim(update.massFood.add, player, tick);
    if (isUnexpected) publish({ type: 'ejected' });
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

  /** Advances the frame to `nowMs`. `moveCamera` is called once everything else is in place. */
  function advance(nowMs: number, maxGulps: number, moveCamera: (frame: Frame) => void): Frame {
    frame.elapsedMs = Number.isNaN(lastFrameMs) ? 0 : Math.max(0, nowMs - lastFrameMs);
    lastFrameMs = nowMs;
    frame.nowMs = nowMs;
    frame.tick = clock.received === 0 ? 0 : playoutTick(clock, nowMs);
    prediction.show(nowMs, frame.elapsedMs);
    showBodies(bodies, frame.tick, nowMs, (body) => {
      if (body.wasEaten) eating.eatBody(body, maxGulps);
    });
    if (view.world && view.own && !watched) eatAhead(view.world.rules, maxGulps);
    const decayPerSecond = view.world?.rules.boost.decayPerSecond ?? 1;
    ejectedMass.show(decayPerSecond, frame.tick, nowMs, frame.elapsedMs);
    showFood(frame.food, frame.tick, (item) => eating.eatFood(item, maxGulps));
    eating.eatAhead((item) => view.food.get(item.id) === item, maxGulps);
    advanceGulps(frame.gulps, nowMs);
    frame.own = centreOf(bodies, frame.size, isOwnCell);
    showTide(frame.tide, view, frame.elapsedMs);
    frame.portals = fadePortals(portalFades, view, frame.elapsedMs);
    frame.portalTiming = portalTiming(view);
    detectSplit();
    moveCamera(frame);
    collectSight(frame, bodies);
    return frame;
  }

  function eatAhead(rules: OwnCellRules, maxGulps: number): void {
    const ownTick = prediction.tick();
    const prey = meetPrey(bodies, rules, { ownTick, knownTick: view.tick, elapsedMs: frame.elapsedMs });
    for (const body of prey) eating.eatBodyAhead(body, ownTick, maxGulps);
  }

  function detectSplit(): void {
    const cellCount = frame.own?.cellCount ?? 0;
    if (ownCellCount > 0 && cellCount > ownCellCount) {
      holdZoomAfterSplit(frame.camera, frame.nowMs);
      publish({ type: 'split', cellCount });
    }
    ownCellCount = cellCount;
  }

  /** Where a player is shown, in sight or not. */
  function locate(player: number): ShownPlayer | undefined {
    return centreOf(bodies, frame.size, (body) => body.kind === 'cell' && body.player?.id === player);
  }
}
