import { captureFrame, createArenaFrame } from '@engulf/netcode/encode/arena-frame';
import { encodeView } from '@engulf/netcode/encode/encode-view';
import { createViewStream } from '@engulf/netcode/encode/view-stream';
import { aimAtPlayer, createViewer, NOBODY } from '@engulf/netcode/view';
import { movementBytes } from '@engulf/protocol/room/byte-messages';
import { applyCommand, type Command } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer, type PlayerId } from '@engulf/sim/players';
import { quantisePointer } from '@engulf/sim/pointer';
import type { Rules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import type { World } from '@engulf/sim/world';
import { createPointerPace } from '@engulf/web/arena/input/pointer-pace';
import { createArenaModel } from '@engulf/web/arena/model/arena-model';
import { followPlayer, resizeCamera } from '@engulf/web/arena/model/frame/camera';
import type { Frame } from '@engulf/web/arena/model/frame/frame';
import { createChance, type Line, openLine } from './line.ts';

/*
 * A room and a page with a line between them, in virtual time. The room is the real simulation and codec, the page is
 * the arena's real model; what a browser and a socket would add is left out.
 */

export type Session = {
  readonly world: World;
  readonly player: PlayerId;
  readonly slot: number;
  readonly model: ReturnType<typeof createArenaModel>;
  readonly chance: () => number;
};

/** What the player does, and who watches it. Times are the page's. */
export type Script = {
  /** The pointer, asked for 125 times a second. */
  pointer(nowMs: number, session: Session): { readonly x: number; readonly y: number };
  /** Before every step: presses no keys, but may steer others. */
  onTick?(session: Session): void;
  /** A key to press now; asked for when the pointer is. */
  key?(nowMs: number, session: Session): 'split' | 'eject' | undefined;
  onFrame?(frame: Frame, nowMs: number, session: Session): void;
  onUpdate?(session: Session): void;
  /** Ends the session early. */
  isOver?(session: Session): boolean;
};

const SCREEN = { widthPx: 1920, heightPx: 1080 };
const FRAME_MS = 1000 / 60;
const POINTER_MS = 8;
/** A page's clock started at another time than the room. */
const PAGE_STARTED_MS = 5_000;
/** Timers are a little late. */
const TICK_LATE_MS = 1.5;
const MAX_GULPS = 20;

type Message = { readonly atMs: number; deliver(): void };

export function playSession(
  { line, rules, seed, seconds }: { line: Line; rules: Rules; seed: number; seconds: number },
  prepare: (world: World, player: PlayerId) => void,
  script: Script,
): Session {
  const chance = createChance(seed);
  const world = createWorld({ key: numberedKey(seed), rules });
  const player = join(world);
  const slot = findPlayer(world.players, player);
  prepare(world, player);
  const source = createArenaFrame(world, (each) => ({ name: `p${each}`, colour: each % 12, reward: '' }));
  const stream = createViewStream(source);
  const viewer = createViewer();
  const model = createArenaModel(() => {});
  resizeCamera(model.camera, SCREEN.widthPx, SCREEN.heightPx);
  const session: Session = { world, player, slot, model, chance };
  const pace = createPointerPace();
  const up = openLine(line, createChance(seed + 1));
  const down = openLine(line, createChance(seed + 2));
  const stepMs = 1000 / rules.stepsPerSecond;
  const atRoom: Message[] = [];
  const atPage: Message[] = [];
  let pointer = { x: 0, y: 0 };
  let offset = { x: 0, y: 0 };
  let ticks = 0;
  let tickMs = stepMs;
  let frameMs = PAGE_STARTED_MS % FRAME_MS;
  let pointerMs = 3;

  const endMs = seconds * 1000;
  for (let nowMs = 0; nowMs < endMs && !script.isOver?.(session); ) {
    nowMs = Math.min(tickMs, frameMs, pointerMs, atRoom[0]?.atMs ?? endMs, atPage[0]?.atMs ?? endMs);
    if (atRoom[0]?.atMs === nowMs) atRoom.shift()!.deliver();
    else if (atPage[0]?.atMs === nowMs) atPage.shift()!.deliver();
    else if (tickMs === nowMs) stepRoom(nowMs);
    else if (pointerMs === nowMs) movePointer(nowMs);
    else if (frameMs === nowMs) drawFrame(nowMs);
    else break;
  }
  return session;

  function stepRoom(nowMs: number): void {
    command({ type: 'steer', player, ...offset });
    script.onTick?.(session);
    step(world);
    captureFrame(source);
    if (findPlayer(world.players, player) >= 0) aimAtPlayer(viewer, world, slot, SCREEN, Infinity);
    else viewer.player = NOBODY;
    const bytes = encodeView(source, stream, viewer).slice();
    const deliver = () => {
      model.receive(bytes, pageMs(atMs));
      script.onUpdate?.(session);
    };
    const atMs = down(nowMs);
    atPage.push({ atMs, deliver });
    ticks++;
    tickMs = (ticks + 1) * stepMs + chance() * TICK_LATE_MS;
  }

  function movePointer(nowMs: number): void {
    pointerMs += POINTER_MS;
    if (!model.frame.own) return;
    const { x, y } = script.pointer(pageMs(nowMs), session);
    pointer = { x: quantisePointer(x), y: quantisePointer(y) };
    model.point(pointer.x, pointer.y, pageMs(nowMs));
    sendPointer(nowMs);
    const key = script.key?.(pageMs(nowMs), session);
    if (key) send(key, nowMs, () => command({ type: key, player }));
  }

  function sendPointer(nowMs: number): void {
    if (pace.waitMs(pointer, pageMs(nowMs)) !== 0) return;
    const bytes = movementBytes.write({ ...pointer, seq: 0 });
    pace.noteSent(pointer, pageMs(nowMs));
    send('steer', nowMs, () => {
      const { x, y } = movementBytes.read(bytes)!;
      offset = { x, y };
    });
  }

  function send(type: 'steer' | 'split' | 'eject', nowMs: number, take: () => void): void {
    const number = model.send(type, pageMs(nowMs));
    const deliver = () => {
      take();
      viewer.acknowledged = number;
    };
    atRoom.push({ atMs: up(nowMs), deliver });
  }

  function drawFrame(nowMs: number): void {
    frameMs += FRAME_MS;
    const atMs = pageMs(nowMs);
    model.advance(atMs, MAX_GULPS, ({ own, elapsedMs }) => {
      if (own) followPlayer(model.camera, own, atMs, elapsedMs);
    });
    sendPointer(nowMs);
    script.onFrame?.(model.frame, atMs, session);
  }

  function command(wish: Command): void {
    applyCommand(world, wish);
  }
}

export function join(world: World): PlayerId {
  const joined = applyCommand(world, { type: 'join', stake: 1n });
  if (!joined.ok || joined.player === undefined) throw new Error('The world is full');
  return joined.player;
}

function pageMs(roomMs: number): number {
  return roomMs + PAGE_STARTED_MS;
}
