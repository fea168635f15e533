import { applyRecorded } from '@engulf/sim/recording/recorder';
import { isTruce } from '@engulf/sim/truce';
import { ROOM_LIMITS } from '../limits.ts';
import { endMatch } from './ending.ts';
import type { Match } from './match.ts';
import type { Participant } from './roster.ts';

/*
 * When the lines of most players break at once, the network or a proxy of ours is at fault, and they must not pay for it:
 * there is a truce until most of them are back, or else the match ends with everybody's whole bounty. People might drop
 * their lines on purpose, so they are counted by their addresses, a pair never counts, and a match has few truces.
 */

/** At least this many addresses: two people can agree to drop their lines. */
const LEAST_ADDRESSES = 3;

/** A player's line broke, and nobody has said why. */
export function noteDrop(match: Match, participant: Participant, address: string): void {
  const { outage, lobby, deps } = match;
  // Play money is not worth a pause, and others fill the place.
  if (lobby.isFree || participant.state !== 'playing') return;
  const atMs = deps.clock.monotonicMs();
  outage.drops.set(participant, { atMs, address });
  for (const [other, drop] of outage.drops)
    if (atMs - drop.atMs > ROOM_LIMITS.outageWithinMs) outage.drops.delete(other);
  if (isMostOfTheRoom(match)) beginTruce(match, [...outage.drops.keys()].filter(isMissing));
}

/**
 * A match has moved, and some of those who were connected before have not come back in time. If they are most of them, its
 * new place may not be reachable. Their addresses are numbered.
 */
export function noteMissing(match: Match, connected: ReadonlyMap<Participant, number>): void {
  if (match.lobby.isFree) return;
  const missing = [...connected.keys()].filter(isMissing);
  const here = new Set([...connected].flatMap(([one, from]) => (missing.includes(one) ? [] : [from])));
  const gone = new Set(missing.map((one) => connected.get(one)!).filter((from) => !here.has(from)));
  if (areMost(gone, here)) beginTruce(match, missing);
}

function beginTruce({ outage, recorded, logger }: Match, awaited: readonly Participant[]): void {
  if (outage.awaited || outage.truces >= ROOM_LIMITS.maxTruces) return;
  const applied = applyRecorded(recorded, { type: 'truce', seconds: ROOM_LIMITS.truceSeconds });
  if (!applied.ok) return;
  outage.truces++;
  outage.awaited = new Set(awaited);
  logger.warn(
    { code: 'MATCH_PAUSED', players: outage.awaited.size },
    'most players of a match lost their lines at once; nobody can be eaten until they are back',
  );
}

/** Call once a second. */
export function watchOutage(match: Match): void {
  const { outage, world, recorded } = match;
  const { awaited } = outage;
  if (!awaited) return;
  const isOver = !isTruce(world.truce);
  const areMostBack = 2 * [...awaited].filter(isMissing).length <= awaited.size;
  if (!isOver && !areMostBack) return;
  outage.awaited = undefined;
  outage.drops.clear();
  if (!areMostBack) endMatch(match, 'fault');
  else if (!isOver) applyRecorded(recorded, { type: 'truce', seconds: 0 });
}

const isMissing = ({ state, connection }: Participant) => state === 'playing' && !connection;

/** Whether lines broke from more addresses than still have one. */
function isMostOfTheRoom({ roster, outage }: Match): boolean {
  const here = new Set<string>();
  for (const { state, connection } of roster.byEntry.values())
    if (state === 'playing' && connection) here.add(connection.address);
  const gone = new Set<string>();
  for (const [participant, { address }] of outage.drops)
    if (isMissing(participant) && !here.has(address)) gone.add(address);
  return areMost(gone, here);
}

function areMost(gone: ReadonlySet<unknown>, here: ReadonlySet<unknown>): boolean {
  return gone.size >= LEAST_ADDRESSES && gone.size > here.size;
}
