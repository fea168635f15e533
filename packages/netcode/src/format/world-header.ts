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
  for (const { keys, format } of FIELD_LIST) FORMATS[format].write(writer, valueAt(header, keys));
}

/** Undefined when the bytes are cut short or hold a value that no arena has. */
export function readHeader(reader: BitReader): WorldHeader | undefined {
  const read = {};
  for (const { keys, format } of FIELD_LIST) putAt(read, keys, FORMATS[format].read(reader));
  const header = read as SentHeader;
  return reader.isMalformed || outOfRange(header) ? undefined : withDerived(header);
}

const FORMATS = {
  u16: {
    write: (writer: BitWriter, value: number) => writeBits(writer, value, 16),
    read: (reader: BitReader) => readBits(reader, 16),
    isWhole: true,
  },
  /** Of any size: small numbers are short. */
  var: { write: writeVar, read: readVar, isWhole: true },
  /** 64 bits. */
  float: { write: writeFloat, read: readFloat, isWhole: false },
} as const;

/** A chunk's row or column takes a byte. */
const MAX_WORLD_SIZE = 255 * FOOD_CHUNK;
const MAX_SPEED = 1e6;
/** What the simulation's 32-bit thousandths hold. Also bounds the table of speeds that a client computes. */
const MAX_CELL_MASS = 2 ** 31 / 1_000;
/** What the simulation sorts by size. */
const MAX_CELLS = 256;
const MAX_SECONDS = 86_400;
const MAX_VAR = 2 ** 31 - 1;

/** How a field is sent, and the least and the greatest value that makes sense. */
type Field = readonly [format: keyof typeof FORMATS, min: number, max: number];

/** 'rules.steering.speed' and so on: the paths to all numbers in an object. */
type PathsOf<Value, Key extends keyof Value & string = keyof Value & string> = Key extends Key
  ? Value[Key] extends number
    ? Key
    : `${Key}.${PathsOf<Value[Key]>}`
  : never;

/** Every field of the header, in the order of the bytes. One that is missing here does not compile. */
const FIELDS: { readonly [path in PathsOf<SentHeader>]: Field } = {
  'rules.worldSize': ['u16', 1, MAX_WORLD_SIZE],
  'rules.stepsPerSecond': ['var', 1, 1_000],
  'rules.borderInset': ['float', 0, 10],
  'rules.size.factor': ['float', 0.001, 1_000],
  'rules.size.eighths': ['var', 3, 4],
  'rules.steering.speed': ['float', 0, MAX_SPEED],
  'rules.steering.radiusExponent': ['float', -8, 8],
  'rules.boost.decayPerSecond': ['float', 0, 1_000],
  'rules.boost.stopBelowSpeed': ['float', 0, MAX_SPEED],
  'rules.cells.maxMass': ['float', 0, MAX_CELL_MASS],
  'rules.maxCellsPerPlayer': ['var', 1, MAX_CELLS],
  'rules.eating.preyDepth': ['float', 0, 10],
  'rules.splitting.minMass': ['float', 0, MAX_CELL_MASS],
  'rules.splitting.launchSpeed': ['float', 0, MAX_SPEED],
  'rules.splitting.noPushSeconds': ['float', 0, MAX_SECONDS],
  'rules.splitting.maxQueued': ['var', 0, 255],
  'rules.merging.minSeconds': ['float', 0, MAX_SECONDS],
  'rules.merging.maxSeconds': ['float', 0, MAX_SECONDS],
  'rules.merging.secondsPerMass': ['float', 0, MAX_SECONDS],
  'rules.ejecting.minMass': ['float', 0, MAX_CELL_MASS],
  'rules.ejecting.yieldMass': ['float', 0, MAX_CELL_MASS],
  'rules.ejecting.cooldownSeconds': ['float', 0, MAX_SECONDS],
  'rules.ejecting.launchSpeed': ['float', 0, MAX_SPEED],
  'rules.tide.risingSpeed': ['float', 0, MAX_SPEED],
  'rules.tide.fallingSpeed': ['float', 0, MAX_SPEED],
  maxPlayers: ['var', 0, 65_536],
  maxBodies: ['u16', 0, 65_535],
  portalRadius: ['var', 0, MAX_VAR],
  portalIdleTicks: ['var', 0, MAX_VAR],
  portalWarningTicks: ['var', 0, MAX_VAR],
  portalActiveTicks: ['var', 0, MAX_VAR],
};

const FIELD_LIST = Object.entries(FIELDS).map(([path, [format, min, max]]) => ({
  path,
  keys: path.split('.'),
  format,
  min,
  max,
}));

/** The first value that is not a number or makes no sense. */
function outOfRange(header: SentHeader): string | undefined {
  return FIELD_LIST.find(({ keys, format, min, max }) => {
    const value = valueAt(header, keys);
    const isKind = !FORMATS[format].isWhole || Number.isInteger(value);
    return !(isKind && value >= min && value <= max);
  })?.path;
}

type Tree = { [key: string]: Tree | number };

function valueAt(header: SentHeader, keys: readonly string[]): number {
  return keys.reduce((part, key) => (part as Tree)[key]!, header as unknown as Tree | number) as number;
}

function putAt(tree: Tree, keys: readonly string[], value: number): void {
  const [key, ...rest] = keys;
  if (rest.length === 0) tree[key!] = value;
  else {
    tree[key!] ??= {};
    putAt(tree[key!] as Tree, rest, value);
  }
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
