import type { ArenaSource } from './arena-source.ts';
import { type BitReader, type BitWriter, readBits, readVar, writeBits, writeVar } from './bits.ts';
import { STEPS_PER_UNIT } from './tracks.ts';
import type { WorldHeader } from './world-header.ts';

/** What a viewer was last told about the portals. */
export type SentPortals = { wave: number; phase: number; phaseEndsAtTick: number };

export function createSentPortals(): SentPortals {
  return { wave: -1, phase: -1, phaseEndsAtTick: -1 };
}

export function forgetPortals(sent: SentPortals): void {
  sent.wave = -1;
}

export function arePortalsDue(sent: SentPortals, { portals }: ArenaSource): boolean {
  return (
    sent.wave !== portals.wave ||
    sent.phase !== portals.phase ||
    sent.phaseEndsAtTick !== portals.phaseEndsAtTick
  );
}

/** Portals are for everyone to see, wherever they are: the map shows them. */
export function writePortals(
  writer: BitWriter,
  header: WorldHeader,
  { portals }: ArenaSource,
  sent: SentPortals,
): void {
  writeBits(writer, portals.phase, 2);
  writeBits(writer, portals.count, 4);
  writeVar(writer, portals.wave);
  writeVar(writer, portals.phaseEndsAtTick);
  for (let portal = 0; portal < portals.count; portal++) {
    writeBits(writer, Math.round(portals.x[portal]! * STEPS_PER_UNIT), header.positionBits);
    writeBits(writer, Math.round(portals.y[portal]! * STEPS_PER_UNIT), header.positionBits);
  }
  sent.wave = portals.wave;
  sent.phase = portals.phase;
  sent.phaseEndsAtTick = portals.phaseEndsAtTick;
}

export type PortalWave = {
  readonly phase: number;
  readonly wave: number;
  readonly phaseEndsAtTick: number;
  readonly places: readonly { readonly x: number; readonly y: number }[];
};

export function readPortals(reader: BitReader, header: WorldHeader): PortalWave {
  const phase = readBits(reader, 2);
  const count = readBits(reader, 4);
  const wave = readVar(reader);
  const phaseEndsAtTick = readVar(reader);
  const places = Array.from({ length: count }, () => ({
    x: readBits(reader, header.positionBits) / STEPS_PER_UNIT,
    y: readBits(reader, header.positionBits) / STEPS_PER_UNIT,
  }));
  return { phase, wave, phaseEndsAtTick, places };
}
