import { PORTAL_PHASES, type PortalPhase, type Portals } from '@engulf/sim/portals';
import type { ArenaDecoder } from '../decode/arena-decoder.ts';
import type { PortalState } from '../decode/arena-view.ts';
import { type BitReader, type BitWriter, readBits, readVar, writeBits, writeVar } from './bits.ts';
import { STEPS_PER_UNIT } from './tracks.ts';
import type { WorldHeader } from './world-header.ts';

const COUNT_BITS = 4;

/** What a viewer was last sent about the portals. */
export type SentPortals = { wave: number; phase: number; phaseEndsAtTick: number };

export function createSentPortals(): SentPortals {
  return { wave: -1, phase: -1, phaseEndsAtTick: -1 };
}

export function forgetPortals(sent: SentPortals): void {
  sent.wave = -1;
}

export function arePortalsDue(sent: SentPortals, portals: Portals): boolean {
  return (
    sent.wave !== portals.wave ||
    sent.phase !== portals.phase ||
    sent.phaseEndsAtTick !== portals.phaseEndsAtTick
  );
}

/** Portals are sent to everyone, in view or not, because the map shows them. */
export function writePortals(
  writer: BitWriter,
  header: WorldHeader,
  portals: Portals,
  sent: SentPortals,
): void {
  writeBits(writer, portals.phase, 2);
  writeBits(writer, portals.count, COUNT_BITS);
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

const STATE_IN_PHASE: { readonly [phase in PortalPhase]: PortalState } = {
  idle: 'hidden',
  warning: 'warning',
  active: 'active',
  disappearing: 'disappearing',
};

export function readPortals(reader: BitReader, { view, update }: ArenaDecoder, world: WorldHeader): void {
  const phase = PORTAL_PHASES[readBits(reader, 2)]!;
  const count = readBits(reader, COUNT_BITS);
  const wave = readVar(reader);
  const phaseEndsAtTick = readVar(reader);
  const places = Array.from({ length: count }, () => ({
    x: readBits(reader, world.positionBits) / STEPS_PER_UNIT,
    y: readBits(reader, world.positionBits) / STEPS_PER_UNIT,
  }));
  if (reader.isMalformed) return;
  view.portalPhase = phase;
  view.portalPhaseEndsAtTick = phaseEndsAtTick;
  const state = STATE_IN_PHASE[phase];
  const known = new Map(view.portals.map((portal) => [portal.id, portal]));
  view.portals.length = 0;
  places.forEach(({ x, y }, index) => {
    const id = wave * (1 << COUNT_BITS) + index;
    const portal = known.get(id) ?? { id, x, y, radius: world.portalRadius, state };
    if (known.delete(id)) update.portals.update.push(portal);
    else update.portals.add.push(portal);
    portal.state = state;
    view.portals.push(portal);
  });
  update.portals.remove.push(...known.values());
}
