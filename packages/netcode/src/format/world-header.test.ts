import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import type { OwnCellRules } from '@engulf/sim/own-cells';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { expect, test } from 'vitest';
import { createBitReader, createBitWriter, finishWriting } from './bits.ts';
import { headerOf, readHeader, type WorldHeader, writeHeader } from './world-header.ts';

function sendAcross(header: WorldHeader): WorldHeader | undefined {
  const writer = createBitWriter(256);
  writeHeader(writer, header);
  return readHeader(createBitReader(finishWriting(writer)));
}

test('a header is always the same bytes', () => {
  const rules: OwnCellRules = {
    worldSize: 7_000,
    stepsPerSecond: 25,
    borderInset: 0.5,
    size: { factor: 12, eighths: 3 },
    tide: { risingSpeed: 40, fallingSpeed: 60 },
    steering: { speed: 2_200, radiusExponent: -0.44 },
    boost: { decayPerSecond: 3.6, stopBelowSpeed: 12 },
    cells: { maxMass: 22_500 },
    maxCellsPerPlayer: 16,
    eating: { preyDepth: 0.25 },
    splitting: { minMass: 36, launchSpeed: 2_300, noPushSeconds: 0.45, maxQueued: 4 },
    merging: { minSeconds: 15, maxSeconds: 60, secondsPerMass: 0.02 },
    ejecting: { minMass: 37, yieldMass: 13, cooldownSeconds: 0.12, launchSpeed: 1_900 },
  };
  const header = {
    rules,
    maxPlayers: 256,
    maxBodies: 5_000,
    portalRadius: 50,
    portalIdleTicks: 1_875,
    portalWarningTicks: 250,
    portalActiveTicks: 600,
  };
  const writer = createBitWriter(256);
  writeHeader(writer, header as WorldHeader);
  // Who changes these bytes raises PROTOCOL_VERSION.
  expect(Buffer.from(finishWriting(writer)).toString('hex')).toBe(
    [
      '581b39fc8003000000000000a10000000000000ca0501800000000805f6e947ae147ae14200666666666e66620',
      '14000000000000a0ea7c0000000000187ea001000000000080840000000000008042f101000000007eb8999999',
      '99999b09900b00000000000090130000000000c00fa55ef8912bc51e9010200000000000900a0000000000c08f',
      '2f6ed47aa1072e50272c000000000010110000000000009013000000000000840171428e598f7eb80a',
    ].join(''),
  );
});

test('a client learns the exact rules of its own cells', () => {
  const rules: Rules = {
    ...standardRules,
    worldSize: 2500,
    stepsPerSecond: 30,
    borderInset: 1 / 3,
    steering: { ...standardRules.steering, speed: 1234.567, radiusExponent: -0.3 },
    boost: { decayPerSecond: 2.2, stopBelowSpeed: 7.5 },
    cells: { ...standardRules.cells, maxMass: 900.5 },
  };
  const sent = headerOf(
    createWorld({ key: numberedKey(1), rules: { ...rules, food: { ...rules.food, count: 100 } } }),
  );
  const { rules: read, ...rest } = sendAcross(sent)!;
  expect(rules).toMatchObject(read);
  expect(sent).toMatchObject(rest);
});

test.each<[string, Partial<OwnCellRules>]>([
  ['no steps', { stepsPerSecond: 0 }],
  ['no world', { worldSize: 0 }],
  ['a NaN border', { borderInset: Number.NaN }],
  ['an infinite speed', { steering: { speed: Number.POSITIVE_INFINITY, radiusExponent: -0.44 } }],
  ['a negative speed', { steering: { speed: -1, radiusExponent: -0.44 } }],
  ['a NaN exponent', { steering: { speed: 2200, radiusExponent: Number.NaN } }],
  ['a huge exponent', { steering: { speed: 2200, radiusExponent: 300 } }],
  ['a launch that grows', { boost: { decayPerSecond: -1, stopBelowSpeed: 12 } }],
  ['a launch that fades infinitely fast', { boost: { decayPerSecond: Infinity, stopBelowSpeed: 12 } }],
  ['a NaN stopping speed', { boost: { decayPerSecond: 3.6, stopBelowSpeed: Number.NaN } }],
  ['a speed table of gigabytes', { cells: { maxMass: 1e18 } }],
  ['a NaN maximum mass', { cells: { maxMass: Number.NaN } }],
  ['no cells', { maxCellsPerPlayer: 0 }],
  ['more cells than can be sorted', { maxCellsPerPlayer: 257 }],
  ['a NaN launch', { splitting: { ...standardRules.splitting, launchSpeed: Number.NaN } }],
  ['a merge that never comes', { merging: { ...standardRules.merging, minSeconds: Infinity } }],
])('a header with %s is refused', (_case, changes) => {
  const header = headerOf(createWorld({ key: numberedKey(1) }));
  expect(sendAcross(header)).toBeDefined();
  expect(sendAcross({ ...header, rules: { ...header.rules, ...changes } })).toBeUndefined();
});

test.each<[string, Partial<Rules>]>([
  ['worldSize', { worldSize: 70_000 }],
  ['worldSize', { worldSize: 2500.5 }],
  ['steering.speed', { steering: { ...standardRules.steering, speed: 1e9 } }],
])('an arena whose %s is out of range cannot be encoded', (name, changes) => {
  const world = createWorld({ key: numberedKey(1) });
  expect(() => headerOf({ ...world, rules: { ...world.rules, ...changes } })).toThrow(name);
});
