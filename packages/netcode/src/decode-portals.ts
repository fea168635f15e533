import type { ArenaDecoder } from './arena-decoder.ts';
import { PORTAL_PHASES, type PortalPhase } from './arena-source.ts';
import type { BitReader } from './bits.ts';
import type { PortalState } from './portal-state.ts';
import { readPortals } from './portal-wave.ts';
import type { WorldHeader } from './world-header.ts';

/** A wave has at most 15 portals: see `writePortals`. */
const IDS_PER_WAVE = 16;

const STATE_IN_PHASE: { readonly [phase in PortalPhase]: PortalState } = {
  idle: 'hidden',
  warning: 'warning',
  active: 'active',
  disappearing: 'disappearing',
};

export function readPortalWave(reader: BitReader, { view, update }: ArenaDecoder, world: WorldHeader): void {
  const { phase, wave, phaseEndsAtTick, places } = readPortals(reader, world);
  if (reader.isMalformed) return;
  view.portalPhase = PORTAL_PHASES[phase]!;
  view.portalPhaseEndsAtTick = phaseEndsAtTick;
  const state = STATE_IN_PHASE[view.portalPhase];
  const known = new Map(view.portals.map((portal) => [portal.id, portal]));
  view.portals.length = 0;
  places.forEach(({ x, y }, index) => {
    const id = wave * IDS_PER_WAVE + index;
    const portal = known.get(id) ?? { id, x, y, radius: world.portalRadius, state };
    if (known.delete(id)) update.portals.update.push(portal);
    else update.portals.add.push(portal);
    portal.state = state;
    view.portals.push(portal);
  });
  update.portals.remove.push(...known.values());
}
