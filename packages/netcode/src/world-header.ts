import { FOOD_CHUNK } from '@engulf/sim/food';
import { boostKeptPerStep, type MovementRules } from '@engulf/sim/movement';
import type { World } from '@engulf/sim/world';
import {
  type BitReader,
  type BitWriter,
  bitsFor,
  readBits,
  readFloat,
  readVar,
  writeBits,
  writeFloat,
  writeVar,
} from './bits.ts';
import { STEPS_PER_UNIT } from './tracks.ts';

/** What stays the same for a whole match and both sides must agree on. Every full snapshot begins with it. */
export type WorldHeader = {
  /** The arena's own, so that a client predicts by the rules that the server runs. */
  readonly movement: MovementRules;
  readonly maxPlayers: number;
  readonly maxBodies: number;
  readonly portalRadius: number;
  readonly portalIdleTicks: number;
  readonly portalWarningTicks: number;
  readonly portalActiveTicks: number;
  /** Derived from the above. */
  readonly worldSize: number;
  readonly ticksPerSecond: number;
  readonly velocityKept: number;
  readonly positionBits: number;
  readonly playerBits: number;
  readonly chunksPerSide: number;
};

type SentHeader = Omit<
  WorldHeader,
  'worldSize' | 'ticksPerSecond' | 'velocityKept' | 'positionBits' | 'playerBits' | 'chunksPerSide'
>;

/** Throws when clients could not read this arena. */
export function headerOf({ rules, stepRules, bodies }: World): WorldHeader {
  const header: SentHeader = {
    movement: rules,
    maxPlayers: rules.maxPlayers,
    maxBodies: bodies.kind.length,
    portalRadius: Math.round(rules.portals.radius),
    portalIdleTicks: stepRules.portalIdleTicks,
    portalWarningTicks: stepRules.portalWarningTicks,
    portalActiveTicks: stepRules.portalActiveTicks,
  };
  const wrong = outOfRange(header);
  if (wrong) throw new RangeError(`Clients cannot be told about this world: ${wrong} is out of range`);
  return withDerived(header);
}

export function writeHeader(writer: BitWriter, header: WorldHeader): void {
  const { stepsPerSecond, worldSize, borderInset, steering, boost, cells } = header.movement;
  writeBits(writer, worldSize, 16);
  writeVar(writer, stepsPerSecond);
  writeFloat(writer, borderInset);
  writeFloat(writer, steering.speed);
  writeFloat(writer, steering.radiusExponent);
  writeFloat(writer, boost.decayPerSecond);
  writeFloat(writer, boost.stopBelowSpeed);
  writeFloat(writer, cells.maxMass);
  writeVar(writer, header.maxPlayers);
  writeBits(writer, header.maxBodies, 16);
  writeVar(writer, header.portalRadius);
  writeVar(writer, header.portalIdleTicks);
  writeVar(writer, header.portalWarningTicks);
  writeVar(writer, header.portalActiveTicks);
}

/** Undefined when the bytes are cut short or hold a value that no arena has. */
export function readHeader(reader: BitReader): WorldHeader | undefined {
  const worldSize = readBits(reader, 16);
  const stepsPerSecond = readVar(reader);
  const borderInset = readFloat(reader);
  const steering = { speed: readFloat(reader), radiusExponent: readFloat(reader) };
  const boost = { decayPerSecond: readFloat(reader), stopBelowSpeed: readFloat(reader) };
  const cells = { maxMass: readFloat(reader) };
  const header: SentHeader = {
    movement: { stepsPerSecond, worldSize, borderInset, steering, boost, cells },
    maxPlayers: readVar(reader),
    maxBodies: readBits(reader, 16),
    portalRadius: readVar(reader),
    portalIdleTicks: readVar(reader),
    portalWarningTicks: readVar(reader),
    portalActiveTicks: readVar(reader),
  };
  return reader.isMalformed || outOfRange(header) ? undefined : withDerived(header);
}

/** A chunk's row or column takes a byte. */
const MAX_WORLD_SIZE = 255 * FOOD_CHUNK;
const MAX_SPEED = 1e6;
/** What the simulation's 32-bit thousandths hold. Also bounds the table of speeds that a client computes. */
const MAX_CELL_MASS = 2 ** 31 / 1_000;

/** The first value that is not a number or makes no sense. */
function outOfRange({ movement, maxPlayers }: SentHeader): string | undefined {
  const { stepsPerSecond, worldSize, borderInset, steering, boost, cells } = movement;
  const limits: readonly [name: string, value: number, min: number, max: number][] = [
    ['worldSize', whole(worldSize), 1, MAX_WORLD_SIZE],
    ['stepsPerSecond', whole(stepsPerSecond), 1, 1_000],
    ['borderInset', borderInset, 0, 10],
    ['steering.speed', steering.speed, 0, MAX_SPEED],
    ['steering.radiusExponent', steering.radiusExponent, -8, 8],
    ['boost.decayPerSecond', boost.decayPerSecond, 0, 1_000],
    ['boost.stopBelowSpeed', boost.stopBelowSpeed, 0, MAX_SPEED],
    ['cells.maxMass', cells.maxMass, 0, MAX_CELL_MASS],
    ['maxPlayers', maxPlayers, 0, 65_536],
  ];
  return limits.find(([, value, min, max]) => !(value >= min && value <= max))?.[0];
}

function whole(value: number): number {
  return Number.isInteger(value) ? value : Number.NaN;
}

function withDerived(header: SentHeader): WorldHeader {
  const { worldSize, stepsPerSecond } = header.movement;
  return {
    ...header,
    worldSize,
    ticksPerSecond: stepsPerSecond,
    velocityKept: Math.round(boostKeptPerStep(header.movement) * 256),
    positionBits: bitsFor(worldSize * STEPS_PER_UNIT),
    playerBits: bitsFor(header.maxPlayers),
    chunksPerSide: Math.ceil(worldSize / FOOD_CHUNK),
  };
}
