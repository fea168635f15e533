import type { ArenaSource } from './arena-source.ts';
import { CHUNK_SIZE } from './arena-source.ts';
import { type BitReader, type BitWriter, bitsFor, readBits, readVar, writeBits, writeVar } from './bits.ts';
import { STEPS_PER_UNIT } from './tracks.ts';

/** What stays the same for a whole match and both sides must agree on. Every full snapshot begins with it. */
export type WorldHeader = {
  readonly worldSize: number;
  readonly ticksPerSecond: number;
  readonly maxPlayers: number;
  readonly maxBodies: number;
  readonly velocityKept: number;
  readonly portalRadius: number;
  readonly portalIdleTicks: number;
  readonly portalWarningTicks: number;
  readonly portalActiveTicks: number;
  /** Derived from the above. */
  readonly positionBits: number;
  readonly playerBits: number;
  readonly chunksPerSide: number;
};

/** A chunk's row or column takes a byte. */
const MAX_CHUNKS_PER_SIDE = 255;

export function headerOf({ rules, stepRules, bodies }: ArenaSource): WorldHeader {
  if (Math.ceil(rules.worldSize / CHUNK_SIZE) > MAX_CHUNKS_PER_SIDE || !Number.isInteger(rules.worldSize)) {
    throw new RangeError(`A world of ${rules.worldSize} units cannot be encoded`);
  }
  return withDerived({
    worldSize: rules.worldSize,
    ticksPerSecond: rules.stepsPerSecond,
    maxPlayers: rules.maxPlayers,
    maxBodies: bodies.kind.length,
    velocityKept: Math.round(stepRules.boostKeptPerStep * 256),
    portalRadius: Math.round(rules.portals.radius),
    portalIdleTicks: stepRules.portalIdleTicks,
    portalWarningTicks: stepRules.portalWarningTicks,
    portalActiveTicks: stepRules.portalActiveTicks,
  });
}

export function writeHeader(writer: BitWriter, header: WorldHeader): void {
  writeBits(writer, header.worldSize, 16);
  writeVar(writer, header.ticksPerSecond);
  writeVar(writer, header.maxPlayers);
  writeBits(writer, header.maxBodies, 16);
  writeBits(writer, header.velocityKept, 9);
  writeVar(writer, header.portalRadius);
  writeVar(writer, header.portalIdleTicks);
  writeVar(writer, header.portalWarningTicks);
  writeVar(writer, header.portalActiveTicks);
}

export function readHeader(reader: BitReader): WorldHeader {
  const header = {
    worldSize: readBits(reader, 16),
    ticksPerSecond: readVar(reader),
    maxPlayers: readVar(reader),
    maxBodies: readBits(reader, 16),
    velocityKept: readBits(reader, 9),
    portalRadius: readVar(reader),
    portalIdleTicks: readVar(reader),
    portalWarningTicks: readVar(reader),
    portalActiveTicks: readVar(reader),
  };
  const isSensible = header.worldSize > 0 && header.ticksPerSecond > 0 && header.maxPlayers <= 65_536;
  if (!isSensible) reader.isMalformed = true;
  return withDerived(header);
}

function withDerived(
  header: Omit<WorldHeader, 'positionBits' | 'playerBits' | 'chunksPerSide'>,
): WorldHeader {
  return {
    ...header,
    positionBits: bitsFor(header.worldSize * STEPS_PER_UNIT),
    playerBits: bitsFor(header.maxPlayers),
    chunksPerSide: Math.ceil(header.worldSize / CHUNK_SIZE),
  };
}
