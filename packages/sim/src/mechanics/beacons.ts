import { hasBeacons } from '../beacons.ts';
import { type PublicPart, waveKeyOf } from '../keys.ts';
import { portalPhase } from '../portals.ts';
import { createRandom, type Random } from '../random.ts';
import type { World } from '../world.ts';

/** Slots may stay empty, but never so many in a row. */
const MAX_EMPTY_SLOTS = 64n;

/** Every step: the block of a wave is named when the pause before it begins, or when the first person comes. */
export function watchBeacons(world: World): void {
  const { beacons, portals, players, clock } = world;
  if (!hasBeacons(world.rules) || beacons.decides > 0) return;
  const isAwaited = portalPhase(portals) === 'idle' && players.livingCount > players.botCount;
  if (!isAwaited) beacons.dueSinceTick = -1;
  else if (beacons.dueSinceTick < 0) beacons.dueSinceTick = clock.tick;
}

/** Whether the block of the next wave can be named now. */
export function canPledge({ beacons, stepRules, clock }: World): boolean {
  const { dueSinceTick, decides } = beacons;
  return dueSinceTick >= 0 && decides === 0 && clock.tick - dueSinceTick <= stepRules.pledgeTicks;
}

/** The slot that decides the next wave, if `newest` is the newest one that is known now. */
export function decidingSlot({ portals, stepRules, rules, clock }: World, newest: bigint): bigint {
  const ticks = portals.phaseEndsAtTick - clock.tick - stepRules.beaconLeadTicks;
  return newest + BigInt(Math.max(rules.beacons.leastSlots, Math.floor(ticks / stepRules.slotTicks)));
}

/** Names the block of a wave. False if that is not how it is named. */
export function pledge(
  world: World,
  { wave, newest, decides }: { readonly wave: number; readonly newest: bigint; readonly decides: bigint },
): boolean {
  const { beacons, portals } = world;
  const isRight = canPledge(world) && wave === portals.wave + 1 && decides === decidingSlot(world, newest);
  if (!isRight || newest <= 0n || decides > BigInt(Number.MAX_SAFE_INTEGER)) return false;
  beacons.decides = Number(decides);
  return true;
}

/** Whether the block that was named can be taken now. Not long before the wave: one that was known when it was named is old by then. */
export function awaitsBeacon({ beacons, portals, stepRules, clock }: World): boolean {
  const isNear = portals.phaseEndsAtTick - clock.tick <= stepRules.beaconOpenTicks;
  return beacons.decides > 0 && beacons.slot === 0 && isNear;
}

/** Takes the block that was named. */
export function takeBeacon(
  world: World,
  { wave, slot, blockhash }: PublicPart & { readonly wave: number },
): boolean {
  const { beacons, portals } = world;
  const first = BigInt(beacons.decides);
  if (!awaitsBeacon(world) || wave !== portals.wave + 1) return false;
  if (slot < first || slot > first + MAX_EMPTY_SLOTS) return false;
  if (blockhash.length !== beacons.blockhash.length) return false;
  beacons.slot = Number(slot);
  beacons.blockhash.set(blockhash);
  return true;
}

/** The numbers that place the next wave, which begins now. */
export function takeWaveStream(world: World, { isClosing }: { readonly isClosing: boolean }): Random {
  const { beacons, portals, streams, stepRules, clock } = world;
  const { slot, dueSinceTick } = beacons;
  const own = streams.portals;
  const block = { slot: BigInt(slot), blockhash: beacons.blockhash };
  const stream = slot > 0 ? createRandom(waveKeyOf(own.key, portals.wave + 1, block)) : own;
  const hadTime = dueSinceTick >= 0 && clock.tick - dueSinceTick >= stepRules.beaconLeadTicks;
  if (slot > 0) beacons.keyed++;
  else if (hadTime && !isClosing) beacons.missed++;
  beacons.blockhash.fill(0);
  Object.assign(beacons, { dueSinceTick: -1, decides: 0, slot: 0 });
  return stream;
}
