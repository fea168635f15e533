import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { SizePx } from '@engulf/netcode/camera';
import type { LiveUpdate } from '@engulf/protocol/room/server-messages';
import { keysUpTo, lastSecret } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { watchInputs } from '@engulf/sim/recording/input-log';
import { applyRecorded, finishRecording, resumeRecordedMatch } from '@engulf/sim/recording/recorder';
import { rulesOfLobby } from '@engulf/sim/rules';
import { loadWorld, saveWorld } from '@engulf/sim/snapshot';
import type { Announce } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { ArrivingMatch, GameDeps, LeavingMatch } from '../ports.ts';
import { assembleMatch, type Match, publishLive, recordSegment } from './match.ts';
import { noteMissing } from './outage.ts';
import { allResultsSettled } from './results.ts';
import { addParticipant, createRoster, type Participant, type Roster, setPlayer } from './roster.ts';

/*
 * Moves a match to another process: the arena between two steps, who is in it, and what the room remembers. The match's
 * key and the seats are not included; the other process reads both from the database. Connections are closed here, and
 * the players rejoin there with return tickets.
 */

type PackedPerson = Pick<
  Participant,
  'state' | 'spawnByTick' | 'latestInput' | 'quality' | 'isExpelled' | 'life'
> & {
  readonly entryId: EntryId;
  readonly player: PlayerId | null;
  readonly screen: SizePx | null;
  /** Null if not connected. Addresses are numbered: they themselves are not stored. */
  readonly from: number | null;
};

/** Only exchanged between processes of the same version. */
type PackedMatch = {
  /** In base 64. */
  readonly world: string;
  readonly people: readonly PackedPerson[];
  readonly bots: readonly (readonly [PlayerId, string])[];
  readonly loot: readonly (readonly [prey: PlayerId, eater: PlayerId, amount: string])[];
  readonly feed: readonly LiveUpdate[];
  readonly isClosing: boolean;
  /** The slot that was named last for the portals. The release before does not tell it. */
  readonly named?: string;
  readonly outage: { readonly truces: number; readonly awaited: readonly EntryId[] | null };
};

/**
 * Packs a match that is not being stepped. Undefined if there is nobody left to continue it for. What was recorded so
 * far has left the recorder, so if the match stays after all, stepping can simply resume.
 */
export async function packMatch(match: Match): Promise<LeavingMatch | undefined> {
  const { id, lobby, world, roster, recorded, loot, feed, ending, chain, outage } = match;
  await allResultsSettled(match.results);
  const people = [...roster.byEntry.values()].filter(({ state }) => state !== 'over');
  if (people.length === 0 || !recorded.hasJoined || world.clock.isEnded || ending.settled) return undefined;
  finishRecording(recorded);
  const addresses = [...new Set(people.flatMap(({ connection }) => connection?.address ?? []))];
  const packed: PackedMatch = {
    world: Buffer.from(saveWorld(world)).toString('base64'),
    people: people.map((person) => packPerson(person, addresses)),
    bots: [...roster.bots],
    loot: [...loot].flatMap(([prey, taken]) =>
      [...taken].map(([eater, amount]) => [prey, eater, amount.toString()] as const),
    ),
    feed: feed.latest,
    isClosing: ending.isAnnounced,
    named: chain.named.toString(),
    outage: {
      truces: outage.truces,
      awaited: outage.awaited ? [...outage.awaited].map(({ seat }) => seat.entryId) : null,
    },
  };
  const state = deflateRawSync(JSON.stringify(packed), { level: 1 });
  return { id, lobbyId: lobby.id, entryIds: people.map(({ seat }) => seat.entryId), state };
}

function packPerson(
  { seat, player, screen, connection, ...rest }: Participant,
  addresses: readonly string[],
): PackedPerson {
  const { state, spawnByTick, latestInput, quality, isExpelled, life } = rest;
  return {
    entryId: seat.entryId,
    player: player ?? null,
    screen: screen ?? null,
    from: connection ? addresses.indexOf(connection.address) : null,
    state,
    spawnByTick,
    latestInput,
    quality,
    isExpelled,
    life,
  };
}

/** Throws if the match cannot be resumed. */
export function resumeMatch(deps: GameDeps, arriving: ArrivingMatch, announce: Announce): Match {
  const { ports, clock } = deps;
  const { lobby, origin, state } = arriving;
  const rules = rulesOfLobby(deps.rules, lobby);
  const packed = JSON.parse(inflateRawSync(state).toString()) as PackedMatch;
  const key = keysUpTo(lastSecret(origin.secret), origin.publicPart);
  const world = loadWorld(Buffer.from(packed.world, 'base64'), rules, key);
  const recorded = resumeRecordedMatch(world, (segment) =>
    recordSegment(ports, origin.id, segment, announce),
  );
  const match = assembleMatch(deps, arriving, recorded, readRoster(arriving, packed), announce);
  for (const [prey, eater, amount] of packed.loot) {
    const taken = match.loot.get(prey) ?? new Map<PlayerId, bigint>();
    match.loot.set(prey, taken.set(eater, BigInt(amount)));
  }
  match.feed.latest = packed.feed;
  match.ending.isAnnounced = packed.isClosing;
  match.chain.named = BigInt(packed.named ?? match.chain.named);
  const { truces, awaited } = packed.outage;
  match.outage.truces = truces;
  match.outage.awaited =
    awaited === null ? undefined : new Set(awaited.flatMap((id) => match.roster.byEntry.get(id) ?? []));
  match.returning = {
    awaited: awaitedPeople(match.roster, packed),
    untilMs: clock.monotonicMs() + ROOM_LIMITS.returnWithinMs,
  };
  // Nobody is connected yet; anyone who does not return gets the usual grace period.
  for (const { player, seat } of match.roster.byEntry.values()) {
    if (player === undefined) continue;
    applyRecorded(recorded, { type: 'disconnect', player });
    if (seat.inputsKey !== undefined) watchInputs(recorded.inputs, world, player);
  }
  publishLive(match);
  return match;
}

function readRoster({ origin, seats }: ArrivingMatch, { people, bots }: PackedMatch): Roster {
  const roster = createRoster(origin.id);
  const seatOf = new Map(seats.map((seat) => [seat.entryId, seat]));
  if (seats.length !== people.length)
    throw new Error(`${people.length} people came, ${seats.length} have seats`);
  for (const { entryId, player, screen, spawnByTick, ...rest } of people) {
    const seat = seatOf.get(entryId);
    if (!seat) throw new Error(`The entry ${entryId} came without its seat`);
    const participant = addParticipant(roster, seat, spawnByTick);
    if (player !== null) setPlayer(roster, participant, player);
    const { state, latestInput, quality, isExpelled, life } = rest;
    Object.assign(participant, {
      screen: screen ?? undefined,
      state,
      latestInput,
      quality,
      isExpelled,
      life,
    });
  }
  for (const [player, name] of bots) roster.bots.set(player, name);
  return roster;
}

function awaitedPeople(roster: Roster, { people }: PackedMatch): Map<Participant, number> {
  return new Map(
    people.flatMap(({ entryId, state, from }) =>
      state === 'playing' && from !== null ? [[roster.byEntry.get(entryId)!, from] as const] : [],
    ),
  );
}

/** Whether the match still waits for its players to reconnect. It is paused meanwhile, so nobody is eaten unseen. */
export function awaitsReturn(match: Match): boolean {
  const { returning, deps, logger } = match;
  if (!returning) return false;
  const missing = [...returning.awaited.keys()].filter(({ connection }) => !connection).length;
  if (missing > 0 && deps.clock.monotonicMs() < returning.untilMs) return true;
  match.returning = undefined;
  noteMissing(match, returning.awaited);
  logger.info({ players: returning.awaited.size, missing }, 'a match that moved goes on');
  return false;
}
