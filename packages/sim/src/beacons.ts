import type { Rules } from './rules.ts';

/*
 * Where money is at stake, a block of the chain decides where the portals of each wave are. It is named by its slot as soon as
 * somebody waits for the wave, and exists shortly before the portals are shown. Nobody knows them earlier, the operator included.
 * A match never waits: a wave whose block did not come in time opens by the match's own key, and is counted.
 */

export type Beacons = {
  /** Since when the block of the next wave may be named; -1 while it may not. */
  dueSinceTick: number;
  /** The slot from which on the first block decides; 0 until it is named. */
  decides: number;
  /** Of the block that decides; 0 until it is known. */
  slot: number;
  readonly blockhash: Uint8Array;
  /** Waves that a block has decided. */
  keyed: number;
  /** Waves that none has, although there was time. */
  missed: number;
};

const HASH_BYTES = 32;

export function hasBeacons({ beacons }: Rules): boolean {
  return beacons.leadSeconds > 0;
}

export function createBeacons(): Beacons {
  return {
    dueSinceTick: -1,
    decides: 0,
    slot: 0,
    blockhash: new Uint8Array(HASH_BYTES),
    keyed: 0,
    missed: 0,
  };
}
