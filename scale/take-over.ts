import type { Lobby } from '@engulf/protocol/lobby';
import type pg from 'pg';
import { beatsUntilDead, countHeartbeats } from './heartbeats.ts';
import type { LobbyWatch } from './lobby-watch.ts';

/** What a trial has found out. */
export type Finding = { readonly figures: Record<string, number>; readonly faults: string[] };

/**
 * How many heartbeats of the others pass until a process that is silent is declared dead: five, and as many again if an
 * observer was too busy to look and started over.
 */
const DEAD_WITHIN_BEATS = 15;
/** For how many a lobby may be offline. To open rooms is work as well, and a busy machine is late with it. */
const BACK_WITHIN_BEATS = 25;
/** What has not happened by then never will, even on a busy machine. */
export const GIVE_UP_MS = 180_000;

/** Waits until the lobbies of a process that has fallen silent are open elsewhere. */
export async function untilTakenOver(
  world: Patience & { readonly db: pg.Pool },
  watch: LobbyWatch,
  { address, lobbies }: { address: string; lobbies: readonly string[] },
): Promise<Finding> {
  const beats = await countHeartbeats(world.db);
  const [deadAfterBeats, backAfterMs] = await Promise.all([
    beatsUntilDead(world.db, address, GIVE_UP_MS),
    watch.until(lobbies, isElsewhere(address), GIVE_UP_MS),
  ]);
  const backAfterBeats = await beats();
  const faults = lateFaults(world, 'lobbies were away', backAfterMs, backAfterBeats);
  if (deadAfterBeats > DEAD_WITHIN_BEATS)
    faults.push(`it was declared dead after ${deadAfterBeats} heartbeats`);
  return { figures: { deadAfterBeats, backAfterMs, backAfterBeats }, faults };
}

export function isElsewhere(address: string): (lobby: Lobby) => boolean {
  return ({ isActive, baseGame }) => isActive && baseGame !== null && baseGame !== address;
}

/** How many times as long everything may take. A room opens once its match is committed, for which it needs the node. */
export type Patience = { readonly patience: number };

export function lateFaults({ patience }: Patience, what: string, tookMs: number, beats: number): string[] {
  if (tookMs >= GIVE_UP_MS) return [`${what} for good`];
  return beats > patience * BACK_WITHIN_BEATS ? [`${what} for ${beats} heartbeats`] : [];
}
