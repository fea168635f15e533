/** What the encoder reads of an arena. The simulation's world has this shape; nothing here is written to. */
export type ArenaSource = {
  readonly rules: {
    readonly worldSize: number;
    readonly stepsPerSecond: number;
    readonly maxPlayers: number;
    readonly maxCellsPerPlayer: number;
    readonly portals: { readonly radius: number };
  };
  readonly stepRules: {
    readonly boostKeptPerStep: number;
    readonly portalIdleTicks: number;
    readonly portalWarningTicks: number;
    readonly portalActiveTicks: number;
  };
  readonly clock: { readonly tick: number };
  readonly bodies: {
    /** 0 for a free slot, else a `BODY_KIND`. */
    readonly kind: Uint8Array;
    /** Counts the bodies that a slot has held. */
    readonly generation: Uint32Array;
    readonly x: Float64Array;
    readonly y: Float64Array;
    readonly radius: Float64Array;
    readonly massMilli: Int32Array;
    /** A player's slot, or -1. */
    readonly owner: Int32Array;
    readonly top: number;
  };
  readonly players: {
    readonly isAlive: Uint8Array;
    readonly isBot: Uint8Array;
    readonly generation: Uint32Array;
    readonly cells: Int32Array;
    readonly cellCount: Uint8Array;
    readonly invulnerableUntilTick: Int32Array;
    readonly bounty: BigUint64Array;
    readonly massMilli: Int32Array;
    readonly centreX: Float64Array;
    readonly centreY: Float64Array;
    readonly top: number;
  };
  /** In chunks of `CHUNK_SIZE` units with `CHUNK_PLACES` places each; a place without mass is empty. */
  readonly food: {
    readonly chunksPerSide: number;
    readonly mass: Uint8Array;
    readonly offsetX: Uint8Array;
    readonly offsetY: Uint8Array;
    readonly colour: Uint8Array;
    /** Places of a chunk from this one on are empty. */
    readonly chunkTop: Uint8Array;
    /** The places that changed in the last step. */
    readonly changes: Int32Array;
    readonly changeCount: number;
  };
  readonly portals: {
    /** Index into `PORTAL_PHASES`. */
    readonly phase: number;
    readonly phaseEndsAtTick: number;
    readonly count: number;
    readonly wave: number;
    readonly x: Float64Array;
    readonly y: Float64Array;
  };
};

export const BODY_KIND = { cell: 1, massFood: 2, virus: 3 } as const;
export const PORTAL_PHASES = ['idle', 'warning', 'active', 'disappearing'] as const;
export type PortalPhase = (typeof PORTAL_PHASES)[number];

export const CHUNK_SIZE = 256;
export const CHUNK_PLACES = 32;
