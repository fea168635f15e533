import type { PortalPhase } from '@engulf/sim/portals';
import type { Tide } from '@engulf/sim/tide';
import type { WorldHeader } from '../format/world-header.ts';

/**
 * The arena as a client knows it. Objects keep their identity and change in place: a renderer may keep
 * references to them but must not write to them.
 */
export type ArenaView = {
  /** Undefined until the first full snapshot. */
  world: WorldHeader | undefined;
  tick: number;
  /** Every player seen so far, by slot; players out of view have no cells. */
  readonly players: Map<number, PlayerView>;
  /** All bodies in view, in the order of the messages. */
  readonly bodies: BodyView[];
  /** By place. */
  readonly food: Map<number, FoodView>;
  /** All portals of the wave, wherever they are. */
  readonly portals: PortalView[];
  portalPhase: PortalPhase;
  portalPhaseEndsAtTick: number;
  /** The dry part of the world, at `tick`. */
  readonly tide: Tide;
  /** The receiver's own player and its largest cell; undefined for a spectator. */
  own: PlayerView | undefined;
  primary: BodyView | undefined;
  /** The number of the latest own input that is part of this state. */
  acknowledged: number;
};

export type PlayerView = {
  readonly slot: number;
  /** The player's id in its match. The next player in the same slot gets a new object. */
  readonly id: number;
  name: string;
  /** Index into the client's palette. */
  colour: number;
  isBot: boolean;
  isAdmin: boolean;
  /** The hash of the player's own picture; undefined for the default portrait. */
  picture: string | undefined;
  reward: string;
  invulnerableUntilTick: number;
  readonly cells: BodyView[];
};

export type BodyView = {
  /** Assigned by this client; a body that re-enters the view gets a new one. */
  readonly id: number;
  readonly kind: BodyViewKind;
  /** The owner of a cell, or who ejected the mass. */
  readonly player: PlayerView | undefined;
  /** The owner's colour when it came into view: ejected mass keeps it after the owner's slot is reused. */
  readonly colour: number;
  x: number;
  y: number;
  /** Units per tick, as derived from the messages. */
  velocityX: number;
  velocityY: number;
  radius: number;
  mass: number;
  isPrimary: boolean;
  /** Set on removal: it was eaten or dissolved, rather than left the view. */
  isGone: boolean;
};

export type BodyViewKind = 'cell' | 'massFood' | 'virus';

export type FoodView = {
  /** Its place, which another piece of food may take later. */
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  readonly radius: number;
  readonly colour: number;
};

type PortalView = {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  state: PortalState;
};

export type PortalState = 'warning' | 'active' | 'disappearing' | 'hidden';

export type PortalTiming = {
  readonly waveActive: boolean;
  readonly inWarningPhase: boolean;
  readonly timeUntilNextWaveMs?: number | undefined;
};

/**
 * What one message changed. Apply it in the order remove, update, add. A full update starts from an empty
 * view: it adds everything and removes nothing. The lists are reused by the next message.
 */
export type ArenaUpdate = {
  type: 'full' | 'delta';
  tick: number;
  /** A player is added with its first cell in view and removed with its last. */
  readonly players: Group<PlayerView>;
  readonly cells: Group<BodyView>;
  readonly massFood: Group<BodyView>;
  readonly viruses: Group<BodyView>;
  readonly food: Group<FoodView>;
  readonly portals: Group<PortalView>;
};

export type Group<Entity> = { readonly add: Entity[]; readonly update: Entity[]; readonly remove: Entity[] };

/** For the portal chip: the time until players can leave. */
export function portalTiming(view: ArenaView): PortalTiming | undefined {
  const { world, portalPhase } = view;
  if (!world) return undefined;
  const ticksLeft = Math.max(0, view.portalPhaseEndsAtTick - view.tick);
  const ticksUntilOpen = {
    idle: ticksLeft + world.portalWarningTicks,
    warning: ticksLeft,
    active: 0,
    disappearing: ticksLeft + world.portalIdleTicks + world.portalWarningTicks,
  }[portalPhase];
  return {
    waveActive: portalPhase === 'active',
    inWarningPhase: portalPhase === 'warning',
    timeUntilNextWaveMs: (ticksUntilOpen * 1000) / world.ticksPerSecond,
  };
}
