import { captureFrame, createArenaFrame } from '@engulf/netcode/encode/arena-frame';
import { encodeView } from '@engulf/netcode/encode/encode-view';
import { createViewStream } from '@engulf/netcode/encode/view-stream';
import { aimAtPlayer, createViewer, NOBODY } from '@engulf/netcode/view';
import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { findPlayer } from '@engulf/sim/players';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { step } from '@engulf/sim/step';
import { vi } from 'vitest';
import { createArenaModel } from '../features/arena/model/arena-model.ts';
import { followPlayer, resizeCamera } from '../features/arena/model/frame/camera.ts';
import type { Frame } from '../features/arena/model/frame/frame.ts';
import type { ArenaEvent } from '../features/arena/net/events.ts';

const STEP_MS = 40;
const screen = { widthPx: 1920, heightPx: 1080 };

/** A real arena with bots and one player, and the model of the player's screen. */
export function startRealMatch({ seed = 3, maxGulps = 100, rules = standardRules as Rules } = {}) {
  const world = createWorld({ key: numberedKey(seed), rules });
  applyCommand(world, { type: 'setPopulation', count: 60 });
  for (let tick = 0; tick < 1000; tick++) step(world);
  const joined = applyCommand(world, { type: 'join', stake: 1_000_000n });
  if (!joined.ok || joined.player === undefined) throw new Error('no place');
  const { player } = joined;
  const slot = findPlayer(world.players, player);
  step(world);
  const source = createArenaFrame(world, (each) => ({
    name: `p${each}`,
    colour: each % 12,
    reward: '1.00(x1.00)',
  }));
  const stream = createViewStream(source);
  const viewer = createViewer();
  const publish = vi.fn<(event: ArenaEvent) => void>();
  const model = createArenaModel(publish);
  resizeCamera(model.camera, screen.widthPx, screen.heightPx);
  let nowMs = 1_000;
  const follow = ({ own, elapsedMs }: Frame) => {
    if (own) followPlayer(model.camera, own, nowMs, elapsedMs);
  };

  /** One step of the arena, and the frames that a screen draws meanwhile. */
  function advance(
    deliver: (bytes: Uint8Array) => void = (bytes) => model.receive(bytes, nowMs),
    isDrawn = true,
  ): Frame {
    step(world);
    captureFrame(source);
    if (findPlayer(world.players, player) === slot) aimAtPlayer(viewer, world, slot, screen, 2000);
    else viewer.player = NOBODY;
    deliver(encodeView(source, stream, viewer).slice());
    for (let frame = 0; frame < 2; frame++) {
      nowMs += STEP_MS / 2;
      if (isDrawn) model.advance(nowMs, maxGulps, follow);
    }
    return model.frame;
  }

  /** Sends the pointer over a line that takes no time. */
  function steer(x: number, y: number): void {
    model.point(x, y, nowMs);
    viewer.acknowledged = model.send('steer', nowMs);
    applyCommand(world, { type: 'steer', player, x, y });
  }

  /** Presses a key; the room hears of it if `isHeard`. */
  function press(type: 'split' | 'eject', isHeard: boolean): void {
    const number = model.send(type, nowMs);
    if (isHeard) applyCommand(world, { type, player });
    viewer.acknowledged = number;
  }

  /** Draws another frame of the same screen, without news. */
  function drawFrame(): Frame {
    nowMs += 5;
    return model.advance(nowMs, maxGulps, follow);
  }

  const published = (type: ArenaEvent['type']) =>
    publish.mock.calls.map(([event]) => event).filter((event) => event.type === type);

  return { world, slot, player, model, stream, advance, steer, press, drawFrame, published };
}

export function runMatch(match: ReturnType<typeof startRealMatch>, ticks: number): Frame {
  for (let tick = 0; tick < ticks; tick++) match.advance();
  return match.model.frame;
}
