import { deriveMovement } from './movement.ts';

/** Mass is kept in integer thousandths, so that it is conserved exactly. */
export const MILLI = 1000;

/** Every number of the game, in world units and seconds. None depends on the step rate. */
export const standardRules = {
  stepsPerSecond: 25,
  worldSize: 7000,
  maxPlayers: 256,
  maxCellsPerPlayer: 16,
  /** Mass and radius of everything but food, see size.ts. */
  size: { factor: 12, eighths: 3 },
  tide: {
    /** Across, for `leastPlayers` and fewer; 0 for a world without a tide. `mostPlayers` have the whole world. */
    leastSize: 1800,
    leastPlayers: 2,
    mostPlayers: 30,
    /** Of each shore: no faster than the largest cell. The water comes in more slowly than it goes out. */
    risingSpeed: 40,
    fallingSpeed: 100,
    noticeSeconds: 10,
  },
  /** Keeps a cell's centre this share of its radius inside the border. */
  borderInset: 0.5,
  spawn: { mass: 40, invulnerableSeconds: 8, candidatePoints: 24, safeDistance: 1200 },
  /** By mass as it always was: 799 · mass^-0.22. */
  steering: { speed: 3430, radiusExponent: -0.587, maxOffset: 20_000 },
  eating: {
    massRatio: 1.3,
    /** The prey's centre must be deeper inside the eater than this share of the prey's radius. */
    preyDepth: 1 / 3,
  },
  food: {
    count: 2400,
    respawnPerSecond: 150,
    /** How many of 16 pieces of food have mass 1, 2 and 4. */
    share: { mass1: 12, mass2: 3, mass4: 1 },
  },
  boost: { decayPerSecond: 3.6, stopBelowSpeed: 12 },
  splitting: { minMass: 36, launchSpeed: 2000, noPushSeconds: 0.45, maxQueued: 4 },
  merging: { minSeconds: 15, maxSeconds: 60, secondsPerMass: 0.02 },
  ejecting: {
    minMass: 36,
    costMass: 16,
    yieldMass: 13,
    cooldownSeconds: 0.12,
    maxQueued: 2,
    launchSpeed: 1900,
    spread: 0.16,
    lifetimeSeconds: 90,
    maxEjected: 1200,
  },
  viruses: {
    count: 30,
    maxCount: 60,
    mass: 100,
    /** Less than the ejected mass that it takes to provoke a shot. */
    shotMass: 85,
    feedsToShoot: 7,
    shotSpeed: 2000,
    burstSpeed: 1500,
    minPieceMass: 18,
    respawnPerSecond: 0.5,
    clearance: 250,
  },
  cells: { maxMass: 9000, decayAboveMass: 100, decayPerSecond: 0.002, autoSplitSpeed: 900 },
  portals: {
    idleSeconds: 50,
    warningSeconds: 10,
    activeSeconds: 24,
    disappearingSeconds: 1,
    radius: 50,
    minCount: 2,
    maxCount: 3,
    borderDistance: 700,
    spacing: 1800,
  },
  /** A block of the chain decides each wave of portals, see beacons.ts. None if there is no lead. */
  beacons: {
    /** How long before the portals show the block is to be there. */
    leadSeconds: 8,
    /** How long a slot of the chain takes, about. */
    slotSeconds: 0.4,
    /** So many slots ahead at least. */
    leastSlots: 4,
    /** How long it may take to name the block. */
    pledgeSeconds: 5,
  },
  /** How long everything random comes from one key, see epochs.ts; 0 for one key all the time. */
  epochs: { seconds: 600 },
  departure: { graceSeconds: 10 },
  closing: { portalsOpenSeconds: 60 },
  /** At most, and how long nobody can be eaten afterwards. No truces if there is no time for one. */
  truce: { maxSeconds: 30, parleySeconds: 3 },
  spill: {
    /** Fewer do not share it: whoever came first would have all of it. */
    leastLiving: 2,
    everySeconds: 5,
    /** Of what is left, each time; once that is less than `leastShare` base units for everybody, all of it. */
    part: 60,
    leastShare: 1_000,
  },
  bots: {
    stake: 1_000_000n,
    thinkSeconds: 0.16,
    /** How far a bot sees to each side, beyond its own radius. */
    sight: 900,
    joinEverySeconds: 1.5,
    cashOutAtMultiple: 1.6,
  },
  /** Kindness to people in their first lives, see newcomers.ts. None here: matches for money are played as they are. */
  newcomers: {
    shelterSeconds: 0,
    /** Small bots around each newcomer, with this share of its mass. */
    companions: 0,
    companionShare: 0,
    /** Spawn points keep away from cells by this many of their radii. */
    spawnRadii: 1,
    /** Protection lasts longer by up to this share, until the first crumb. */
    hungryShare: 0,
    /** A bot of this mass leaves through the next portal, whatever it carries; 0 for none. */
    giantMass: 0,
  },
} as const satisfies RulesShape;

const noBeacons: Pick<Rules, 'beacons'> = {
  beacons: { leadSeconds: 0, slotSeconds: 0, leastSlots: 0, pledgeSeconds: 0 },
};

export const freeLobbyRules: Rules = {
  ...standardRules,
  ...noBeacons,
  newcomers: {
    shelterSeconds: 60,
    companions: 3,
    companionShare: 0.65,
    spawnRadii: 5,
    hungryShare: 7 / 8,
    giantMass: 1200,
  },
};

/** Where money is at stake nobody is spared, and there alone blocks place the portals, whatever is configured. */
export function rulesOfLobby(rules: Rules, { isFree }: { readonly isFree: boolean }): Rules {
  const { newcomers, beacons } = standardRules;
  return isFree ? { ...rules, ...noBeacons } : { ...rules, newcomers, beacons };
}

/**
 * What was not a rule yet in recordings of version 3: the whole world is dry, size grows with the square root, there are no
 * truces, and spill is shared at once.
 */
export const rulesBeforeTide: Pick<Rules, 'size' | 'tide' | 'truce' | 'spill'> = {
  truce: { maxSeconds: 0, parleySeconds: 0 },
  spill: { leastLiving: 1, everySeconds: 0, part: 1, leastShare: 0 },
  size: { factor: 10, eighths: 4 },
  tide: {
    leastSize: 0,
    leastPlayers: 0,
    mostPlayers: 0,
    risingSpeed: 0,
    fallingSpeed: 0,
    noticeSeconds: 0,
  },
};

/** What was not a rule yet in recordings of version 4. */
export const rulesBeforeNewcomers: Pick<Rules, 'newcomers'> = { newcomers: standardRules.newcomers };

/** What was not a rule yet in recordings of version 5. */
export const rulesBeforeBeacons: Pick<Rules, 'beacons' | 'epochs'> = { ...noBeacons, epochs: { seconds: 0 } };

type RulesShape = { readonly [key: string]: number | bigint | RulesShape };
type Widened<T> = {
  readonly [K in keyof T]: T[K] extends number ? number : T[K] extends bigint ? bigint : Widened<T[K]>;
};

export type Rules = Widened<typeof standardRules>;

export function deriveEpochTicks({ epochs, stepsPerSecond }: Rules): number {
  return epochs.seconds === 0 ? 0 : Math.max(1, Math.round(epochs.seconds * stepsPerSecond));
}

/** The rules as the step reads them: in ticks, milli-mass and per-step factors, derived once per world. */
export type StepRules = ReturnType<typeof deriveStepRules>;

export function deriveStepRules(rules: Rules) {
  const perSecond = rules.stepsPerSecond;
  const ticks = (seconds: number) => Math.max(1, Math.round(seconds * perSecond));
  return {
    ...deriveMovement(rules),
    spawnMassMilli: rules.spawn.mass * MILLI,
    invulnerableTicks: ticks(rules.spawn.invulnerableSeconds),
    splitMinMassMilli: rules.splitting.minMass * MILLI,
    noPushTicks: ticks(rules.splitting.noPushSeconds),
    ejectMinMassMilli: rules.ejecting.minMass * MILLI,
    ejectCostMassMilli: rules.ejecting.costMass * MILLI,
    ejectYieldMassMilli: rules.ejecting.yieldMass * MILLI,
    ejectCooldownTicks: ticks(rules.ejecting.cooldownSeconds),
    ejectedLifetimeTicks: ticks(rules.ejecting.lifetimeSeconds),
    virusMassMilli: rules.viruses.mass * MILLI,
    virusShotMassMilli: rules.viruses.shotMass * MILLI,
    virusRespawnTicks: ticks(1 / rules.viruses.respawnPerSecond),
    minPieceMassMilli: rules.viruses.minPieceMass * MILLI,
    tideNoticeTicks: ticks(rules.tide.noticeSeconds),
    maxCellMassMilli: rules.cells.maxMass * MILLI,
    decayAboveMassMilli: rules.cells.decayAboveMass * MILLI,
    beaconLeadTicks: Math.round(rules.beacons.leadSeconds * perSecond),
    beaconOpenTicks: Math.round(1.5 * rules.beacons.leadSeconds * perSecond),
    slotTicks: ticks(rules.beacons.slotSeconds),
    pledgeTicks: ticks(rules.beacons.pledgeSeconds),
    portalIdleTicks: ticks(rules.portals.idleSeconds),
    portalWarningTicks: ticks(rules.portals.warningSeconds),
    portalActiveTicks: ticks(rules.portals.activeSeconds),
    portalDisappearingTicks: ticks(rules.portals.disappearingSeconds),
    departureGraceTicks: ticks(rules.departure.graceSeconds),
    parleyTicks: ticks(rules.truce.parleySeconds),
    spillTicks: ticks(rules.spill.everySeconds),
    closingPortalTicks: ticks(rules.closing.portalsOpenSeconds),
    botThinkTicks: ticks(rules.bots.thinkSeconds),
    botJoinTicks: ticks(rules.bots.joinEverySeconds),
    shelterTicks: Math.round(rules.newcomers.shelterSeconds * perSecond),
    hungryTicks: Math.round(rules.spawn.invulnerableSeconds * rules.newcomers.hungryShare * perSecond),
    giantMassMilli: (rules.newcomers.giantMass || Number.MAX_SAFE_INTEGER) * MILLI,
  };
}

/** Ticks until a cell of this mass may merge with its siblings. */
export function mergeDelayTicks(rules: Rules, massMilli: number): number {
  const { minSeconds, maxSeconds, secondsPerMass } = rules.merging;
  const seconds = Math.min(maxSeconds, minSeconds + (massMilli / MILLI) * secondsPerMass);
  return Math.round(seconds * rules.stepsPerSecond);
}
