import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { coverScale, playerZoom } from './camera.ts';
import { createArenaDecoder } from './decode/arena-decoder.ts';
import { portalTiming } from './decode/arena-view.ts';
import { decodeUpdate } from './decode/decode-update.ts';
import { captureFrame, createArenaFrame } from './encode/arena-frame.ts';
import { encodeView } from './encode/encode-view.ts';
import { createViewStream } from './encode/view-stream.ts';
import { aimAtPlayer, createViewer } from './view.ts';

function createScene() {
  const world = createWorld({ key: numberedKey(1) });
  applyCommand(world, { type: 'join', stake: 5n });
  const frame = createArenaFrame(world, () => ({
    name: 'Ada',
    colour: 3,
    reward: String(world.players.bounty[0]),
  }));
  const stream = createViewStream(frame);
  const decoder = createArenaDecoder();
  const viewer = createViewer();
  const send = () => {
    captureFrame(frame);
    aimAtPlayer(viewer, world, 0, { widthPx: 1920, heightPx: 1080 }, 2000);
    expect(decodeUpdate(decoder, encodeView(frame, stream, viewer))).toBe('applied');
    return decoder.view;
  };
  return { world, viewer, send };
}

test('no window shows more of the world than the reference screen', () => {
  const { world, viewer } = createScene();
  const zoom = playerZoom(40);
  const side = fc.integer({ min: 200, max: 16_000 });
  fc.assert(
    fc.property(side, side, (widthPx, heightPx) => {
      aimAtPlayer(viewer, world, 0, { widthPx, heightPx }, 2000);
      expect(viewer.halfWidth).toBeLessThanOrEqual(960 / zoom + 48.001);
      expect(viewer.halfHeight).toBeLessThanOrEqual(540 / zoom + 48.001);
      // One of the two sides reaches its limit.
      const isWide = Math.abs(viewer.halfWidth - 48 - 960 / zoom) < 0.001;
      const isHigh = Math.abs(viewer.halfHeight - 48 - 540 / zoom) < 0.001;
      expect(isWide || isHigh).toBe(true);
    }),
  );
  expect(coverScale({ widthPx: 3840, heightPx: 1080 })).toBe(2);
});

test('a distance limit shrinks the view', () => {
  const { world, viewer } = createScene();
  aimAtPlayer(viewer, world, 0, { widthPx: 1920, heightPx: 1080 }, 300);
  expect([viewer.halfWidth, viewer.halfHeight]).toEqual([300, 300]);
});

test('the portal timing counts down to the moment when players can leave', () => {
  const { world, send } = createScene();
  const { idleSeconds, warningSeconds } = world.rules.portals;
  const untilOpenMs = (idleSeconds + warningSeconds) * 1000;
  expect(portalTiming(send())).toEqual({
    waveActive: false,
    inWarningPhase: false,
    timeUntilNextWaveMs: untilOpenMs,
  });
  Object.assign(world.portals, { phase: 1, phaseEndsAtTick: 250 });
  expect(portalTiming(send())).toMatchObject({ inWarningPhase: true, timeUntilNextWaveMs: 10_000 });
  Object.assign(world.portals, { phase: 2, phaseEndsAtTick: 300 });
  expect(portalTiming(send())).toMatchObject({ waveActive: true });
  Object.assign(world.portals, { phase: 3, phaseEndsAtTick: 25 });
  expect(portalTiming(send())).toMatchObject({ timeUntilNextWaveMs: untilOpenMs + 1000 });
});

test('changes of the portals and of a reward are sent with the next message', () => {
  const { world, send } = createScene();
  send();
  // As in the last minute of a lobby: the phase stays the same, only its end moves.
  world.portals.phaseEndsAtTick += 100;
  // A change in the upper half of the amount alone.
  world.players.bounty[0] = world.players.bounty[0]! + (1n << 32n);
  world.clock.tick++;
  const view = send();
  expect(view.portalPhaseEndsAtTick).toBe(world.portals.phaseEndsAtTick);
  expect(view.own!.reward).toBe(String(world.players.bounty[0]));
});

test('the row of a fresh player holds its identity and the end of its invulnerability', () => {
  const { world, send } = createScene();
  const view = send();
  expect(view.own!.invulnerableUntilTick).toBe(world.stepRules.invulnerableTicks);
  expect(view.own).toMatchObject({ name: 'Ada', colour: 3, reward: '5', isBot: false });
});
