import type { Rules } from './rules.ts';

/** Identifies one player of one world. Never reused, so a late message cannot steer someone else's cell. */
export type PlayerId = number & { readonly brand: 'PlayerId' };

export const CONNECTED = -1;

/** One slot per player across these arrays; `cells` holds `maxCellsPerPlayer` body slots for each. */
export type Players = {
  readonly isAlive: Uint8Array;
  readonly isBot: Uint8Array;
  readonly generation: Uint32Array;
  readonly cells: Int32Array;
  readonly cellCount: Uint8Array;
  /** The pointer, as an offset from the player's centre. */
  readonly offsetX: Float64Array;
  readonly offsetY: Float64Array;
  readonly queuedSplits: Uint8Array;
  readonly queuedEjects: Uint8Array;
  readonly ejectReadyTick: Int32Array;
  readonly invulnerableUntilTick: Int32Array;
  /** When a disconnected player is removed; `CONNECTED` while somebody steers it. */
  readonly departsAtTick: Int32Array;
  /** When a bot will have noticed the danger it is in; 0 while it is in none. */
  readonly alarmTick: Int32Array;
  readonly stake: BigUint64Array;
  readonly bounty: BigUint64Array;
  /** Sum over the cells, always up to date. */
  readonly massMilli: Int32Array;
  /** Mean of the cells, weighted by mass, as of the end of the last step. */
  readonly centreX: Float64Array;
  readonly centreY: Float64Array;
  livingCount: number;
  botCount: number;
  top: number;
};

export function createPlayers(rules: Rules): Players {
  const capacity = rules.maxPlayers;
  return {
    isAlive: new Uint8Array(capacity),
    isBot: new Uint8Array(capacity),
    generation: new Uint32Array(capacity),
    cells: new Int32Array(capacity * rules.maxCellsPerPlayer),
    cellCount: new Uint8Array(capacity),
    offsetX: new Float64Array(capacity),
    offsetY: new Float64Array(capacity),
    queuedSplits: new Uint8Array(capacity),
    queuedEjects: new Uint8Array(capacity),
    ejectReadyTick: new Int32Array(capacity),
    invulnerableUntilTick: new Int32Array(capacity),
    departsAtTick: new Int32Array(capacity),
    alarmTick: new Int32Array(capacity),
    stake: new BigUint64Array(capacity),
    bounty: new BigUint64Array(capacity),
    massMilli: new Int32Array(capacity),
    centreX: new Float64Array(capacity),
    centreY: new Float64Array(capacity),
    livingCount: 0,
    botCount: 0,
    top: 0,
  };
}

/** Takes the lowest free slot for a living player without cells; -1 when the world is full. */
export function addPlayer(players: Players, stake: bigint, isBot: boolean): number {
  const slot = players.isAlive.indexOf(0);
  if (slot < 0) return -1;
  players.top = Math.max(players.top, slot + 1);
  players.isAlive[slot] = 1;
  players.isBot[slot] = isBot ? 1 : 0;
  players.generation[slot]!++;
  players.cellCount[slot] = 0;
  players.offsetX[slot] = 0;
  players.offsetY[slot] = 0;
  players.queuedSplits[slot] = 0;
  players.queuedEjects[slot] = 0;
  players.ejectReadyTick[slot] = 0;
  players.invulnerableUntilTick[slot] = 0;
  players.departsAtTick[slot] = CONNECTED;
  players.alarmTick[slot] = 0;
  players.stake[slot] = stake;
  players.bounty[slot] = stake;
  players.massMilli[slot] = 0;
  players.livingCount++;
  if (isBot) players.botCount++;
  return slot;
}

export function playerId(players: Players, slot: number): PlayerId {
  return playerIdOf(slot, players.generation[slot]!);
}

/** The id of the `generation`th player in a slot. */
export function playerIdOf(slot: number, generation: number): PlayerId {
  return (generation * 65_536 + slot) as PlayerId;
}

export function slotOfId(id: PlayerId): number {
  return id % 65_536;
}

/** The slot of a living player, or -1 for an id that never existed or is gone. */
export function findPlayer(players: Players, id: PlayerId): number {
  if (!Number.isSafeInteger(id) || id < 0) return -1;
  const slot = slotOfId(id);
  return players.isAlive[slot] === 1 && playerId(players, slot) === id ? slot : -1;
}

export function isInvulnerable(players: Players, player: number, tick: number): boolean {
  return tick < players.invulnerableUntilTick[player]!;
}
