import { hasBeacons } from '@engulf/sim/beacons';
import { awaitsBeacon, canPledge, decidingSlot } from '@engulf/sim/mechanics/beacons';
import { applyRecorded } from '@engulf/sim/recording/recorder';
import type { Match } from './match.ts';

/**
 * Names the block that decides the next wave of portals, and takes it when it is there. Call once a second. Nothing waits for an
 * answer: what comes too late is refused by the arena, and the wave opens without it.
 */
export function keyPortals(match: Match): void {
  const { world, lobby, deps, chain } = match;
  if (!hasBeacons(world.rules) || chain.isAsked || world.clock.isEnded) return;
  if (canPledge(world)) {
    ask(match, () => deps.ports.readNewestSlot(lobby.id), pledge);
  } else if (awaitsBeacon(world)) {
    const decides = BigInt(world.beacons.decides);
    const wave = world.portals.wave + 1;
    ask(
      match,
      () => deps.ports.findBeacon(decides),
      (_, block) => applyRecorded(match.recorded, { type: 'beacon', wave, ...block }),
    );
  }
}

function pledge({ world, recorded, chain }: Match, newest: bigint): void {
  const wave = world.portals.wave + 1;
  const decides = decidingSlot(world, newest);
  // Nodes that have fallen behind would name what has passed, and the match would look forged.
  if (decides <= chain.named) return;
  if (applyRecorded(recorded, { type: 'pledge', wave, newest, decides }).ok) chain.named = decides;
}

function ask<Answer>(
  match: Match,
  question: () => Promise<Answer | undefined>,
  take: (match: Match, answer: Answer) => unknown,
): void {
  match.chain.isAsked = true;
  question()
    .then((answer) => answer !== undefined && take(match, answer))
    // The host is gone, and this process with it.
    .catch(() => {})
    .finally(() => {
      match.chain.isAsked = false;
    });
}
