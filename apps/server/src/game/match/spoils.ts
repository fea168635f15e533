import type { PlayerId } from '@engulf/sim/players';

/** What each eater has had of a player who is still alive, cell by cell: a kill is worth all of it. */
export type Spoils = Map<PlayerId, Map<PlayerId, bigint>>;

export function addSpoils(spoils: Spoils, prey: PlayerId, eater: PlayerId, amount: bigint): void {
  const taken = spoils.get(prey) ?? new Map<PlayerId, bigint>();
  taken.set(eater, (taken.get(eater) ?? 0n) + amount);
  spoils.set(prey, taken);
}

/** Closes the account of a player who is out. */
export function takeSpoils(spoils: Spoils, victim: PlayerId, killer: PlayerId | undefined): bigint {
  const taken = spoils.get(victim);
  spoils.delete(victim);
  return (killer !== undefined && taken?.get(killer)) || 0n;
}
