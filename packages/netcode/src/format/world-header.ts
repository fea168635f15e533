import { FOOD_CHUNK } from '@engulf/sim/food';
import { boostKeptPerStep } from '@engulf/sim/movement';
import type { OwnCellRules } from '@engulf/sim/own-cells';
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
import { fineBitsFor, STEPS_PER_UNIT } from './tracks.ts';

/** What stays the same for a whole match and both sides must agree on. Every full snapshot begins with it. */
export type WorldHeader = {
  /** The arena's own, so that a client predicts by the rules that the server runs. */
  readonly rules: OwnCellRules;
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
  readonly fineBits: number;
  readonly playerBits: number;
  readonly chunksPerSide: number;
};

type SentHeader = Omit<
  WorldHeader,
  | 'worldSize'
  | 'ticksPerSecond'
  | 'velocityKept'
  | 'positionBits'
  | 'fineBits'
  | 'playerBits'
  | 'chunksPerSide'
>;

/** Throws when clients could not read this arena. */
export function headerOf({ rules, stepRules, bodies }: World): WorldHeader {
  const header: SentHeader = {
    rules,
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
  const { stepsPerSecond, worldSize, borderInset, steering, boost, cells } = header.rules;
  const { maxCellsPerPlayer, eating, splitting, merging, ejecting } = header.rules;
  writeBits(writer, worldSize, 16);
  writeVar(writer, stepsPerSecond);
  writeFloat(writer, borderInset);
  writeFloat(writer, steering.speed);
  writeFloat(writer, steering.radiusExponent);
  writeFloat(writer, boost.decayPerSecond);
  writeFloat(writer, boost.stopBelowSpeed);
  writeFloat(writer, cells.maxMass);
  writeVar(writer, maxCellsPerPlayer);
  writeFloat(writer, eating.preyDepth);
  writeFloat(writer, splitting.minMass);
  writeFloat(writer, splitting.launchSpeed);
  writeFloat(writer, splitting.noPushSeconds);
  writeVar(writer, splitting.maxQueued);
  writeFloat(writer, merging.minSeconds);
  writeFloat(writer, merging.maxSeconds);
  writeFloat(writer, merging.secondsPerMass);
  writeFloat(writer, ejecting.minMass);
  writeFloat(writer, ejecting.yieldMass);
  writeFloat(writer, ejecting.cooldownSeconds);
  writeFloat(writer, ejecting.launchSpeed);
  writeVar(writer, header.maxPlayers);
  writeBits(writer, header.maxBodies, 16);
  writeVar(writer, header.portalRadius);
  writeVar(writer, header.portalIdleTicks);
  writeVar(writer, header.portalWarningTicks);
  writeVar(writer, header.portalActiveTicks);
}

/** Undefined when the bytes are cut short or hold a value that no arena has. */
export function readHeader(reader: BitReader): WorldHeader | undefined {
  const header: SentHeader = {
    rules: readRules(reader),
    maxPlayers: readVar(reader),
    maxBodies: readBits(reader, 16),
    portalRadius: readVar(reader),
    portalIdleTicks: readVar(reader),
    portalWarningTicks: readVar(reader),
    portalActiveTicks: readVar(reader),
  };
  return reader.isMalformed || outOfRange(header) ? undefined : withDerived(header);
}

/** In the order in which they are written. */
function readRules(reader: BitReader): OwnCellRules {
  return {
    worldSize: readBits(reader, 16),
    stepsPerSecond: readVar(reader),
    borderInset: readFloat(reader),
    steering: { speed: readFloat(reader), radiusExponent: readFloat(reader) },
    boost: { decayPerSecond: readFloat(reader), stopBelowSpeed: readFloat(reader) },
    cells: { maxMass: readFloat(reader) },
    maxCellsPerPlayer: readVar(reader),
    eating: { preyDepth: readFloat(reader) },
    splitting: {
      minMass: readFloat(reader),
      launchSpeed: readFloat(reader),
      noPushSeconds: readFloat(reader),
      maxQueued: readVar(reader),
    },
    merging: {
      minSeconds: readFloat(reader),
      maxSeconds: readFloat(reader),
      secondsPerMass: readFloat(reader),
    },
    ejecting: {
      minMass: readFloat(reader),
      yieldMass: readFloat(reader),
      cooldownSeconds: readFloat(reader),
      launchSpeed: readFloat(reader),
    },
  };
}

/** A chunk's row or column takes a byte. */
const MAX_WORLD_SIZE = 255 * FOOD_CHUNK;
const MAX_SPEED = 1e6;
/** What the simulation's 32-bit thousandths hold. Also bounds the table of speeds that a client computes. */
const MAX_CELL_MASS = 2 ** 31 / 1_000;
/** What the simulation sorts by size. */
const MAX_CELLS = 256;
const MAX_SECONDS = 86_400;

/** The first value that is not a number or makes no sense. */
function outOfRange({ rules, maxPlayers }: SentHeader): string | undefined {
  const { stepsPerSecond, worldSize, borderInset, steering, boost, cells } = rules;
  const { maxCellsPerPlayer, eating, splitting, merging, ejecting } = rules;
  const limits: readonly [name: string, value: number, min: number, max: number][] = [
    ['worldSize', whole(worldSize), 1, MAX_WORLD_SIZE],
    ['stepsPerSecond', whole(stepsPerSecond), 1, 1_000],
    ['borderInset', borderInset, 0, 10],
    ['steering.speed', steering.speed, 0, MAX_SPEED],
    ['steering.radiusExponent', steering.radiusExponent, -8, 8],
    ['boost.decayPerSecond', boost.decayPerSecond, 0, 1_000],
    ['boost.stopBelowSpeed', boost.stopBelowSpeed, 0, MAX_SPEED],
    ['cells.maxMass', cells.maxMass, 0, MAX_CELL_MASS],
    ['maxCellsPerPlayer', whole(maxCellsPerPlayer), 1, MAX_CELLS],
    ['eating.preyDepth', eating.preyDepth, 0, 10],
    ['splitting.minMass', splitting.minMass, 0, MAX_CELL_MASS],
    ['splitting.launchSpeed', splitting.launchSpeed, 0, MAX_SPEED],
    ['splitting.noPushSeconds', splitting.noPushSeconds, 0, MAX_SECONDS],
    ['splitting.maxQueued', whole(splitting.maxQueued), 0, 255],
    ['merging.minSeconds', merging.minSeconds, 0, MAX_SECONDS],
    ['merging.maxSeconds', merging.maxSeconds, 0, MAX_SECONDS],
    ['merging.secondsPerMass', merging.secondsPerMass, 0, MAX_SECONDS],
    ['ejecting.minMass', ejecting.minMass, 0, MAX_CELL_MASS],
    ['ejecting.yieldMass', ejecting.yieldMass, 0, MAX_CELL_MASS],
    ['ejecting.cooldownSeconds', ejecting.cooldownSeconds, 0, MAX_SECONDS],
    ['ejecting.launchSpeed', ejecting.launchSpeed, 0, MAX_SPEED],
    ['maxPlayers', maxPlayers, 0, 65_536],
  ];
  return limits.find(([, value, min, max]) => !(value >= min && value <= max))?.[0];
}

function whole(value: number): number {
  return Number.isInteger(value) ? value : Number.NaN;
}

function withDerived(header: SentHeader): WorldHeader {
  const { worldSize, stepsPerSecond } = header.rules;
  return {
    ...header,
    worldSize,
    ticksPerSecond: stepsPerSecond,
    velocityKept: Math.round(boostKeptPerStep(header.rules) * 256),
    positionBits: bitsFor(worldSize * STEPS_PER_UNIT),
    fineBits: fineBitsFor(worldSize),
    playerBits: bitsFor(header.maxPlayers),
    chunksPerSide: Math.ceil(worldSize / FOOD_CHUNK),
  };
}
