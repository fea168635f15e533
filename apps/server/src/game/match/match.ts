import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { avatarHashOf } from '@engulf/domain/profile/avatar';
import { PAID_SPECTATOR_DELAY_SECONDS } from '@engulf/protocol/room/server-messages';
import { keysUpTo, lastSecret } from '@engulf/sim/keys';
import { moneyInPlay } from '@engulf/sim/mechanics/bounty';
import { type PlayerId, playerId } from '@engulf/sim/players';
import { writeHeader } from '@engulf/sim/recording/header';
import { applyRecorded, type RecordedMatch, startRecordedMatch } from '@engulf/sim/recording/recorder';
import { rulesOfLobby } from '@engulf/sim/rules';
import type { World } from '@engulf/sim/world';
import type { Logger } from 'pino';
import { createStandings, rewardOf, type Standings } from '../board/standings.ts';
import type { Announce } from '../connection.ts';
import type { GameDeps, GameLobby, GatheringCall, MatchOrigin } from '../ports.ts';
import { createViews, type Views } from '../views/views.ts';
import { createLiveFeed, type LiveFeed, report } from './live-feed.ts';
import type { Results } from './results.ts';
import {
  colourOf,
  countSeated,
  createRoster,
  listDisconnected,
  listExpelled,
  nameOf,
  type Participant,
  type Roster,
} from './roster.ts';
import { sketchArena } from './sketch.ts';

/**
 * One run of one arena, from the opening of a lobby's room to its end. Each part works on its own slice; seats,
 * events, step and ending bring them together.
 */
export type Match = {
  readonly id: MatchId;
  readonly commitment: Uint8Array;
  readonly lobby: GameLobby;
  readonly deps: GameDeps;
  readonly logger: Logger;
  readonly recorded: RecordedMatch;
  readonly world: World;
  readonly roster: Roster;
  readonly views: Views;
  readonly standings: Standings;
  readonly feed: LiveFeed;
  readonly results: Results;
  /** How much each eater has taken from each living player: a kill is worth all of it. */
  readonly loot: Map<PlayerId, Map<PlayerId, bigint>>;
  /** Players that a match from another process still waits for; undefined once it runs. */
  returning: Returning | undefined;
  /** Lines that broke; only outage.ts writes it. */
  readonly outage: {
    /** Players whose lines broke lately, and from where they were connected. */
    readonly drops: Map<Participant, { readonly atMs: number; readonly address: string }>;
    /** Those for whom there is a truce. */
    awaited: ReadonlySet<Participant> | undefined;
    truces: number;
  };
  /** What decides the portals; only beacons.ts writes it. */
  readonly chain: {
    /** Whether the chain is being asked. */
    isAsked: boolean;
    /** The newest slot that decides something of this match. */
    named: bigint;
  };
  /** Players who begin together, as far as they have come; only gathering.ts writes it. */
  gathered: { readonly call: GatheringCall; readonly here: Set<Participant> } | undefined;
  /** Open menus show the arena. Follows the lobby. */
  isShown: boolean;
  /** State of the ending; only ending.ts writes it. */
  readonly ending: {
    isAnnounced: boolean;
    /** Since when nobody has played or watched. */
    idleSinceTick: number | undefined;
    /** Set when the match has ended; resolves when all results are settled and the recording is closed. */
    settled: Promise<void> | undefined;
  };
};

type Returning = {
  /** Who was connected when the match left, and the number of the address. */
  readonly awaited: ReadonlyMap<Participant, number>;
  readonly untilMs: number;
};

export type NewMatch = {
  readonly lobby: GameLobby;
  readonly origin: MatchOrigin;
  readonly spill: bigint;
};

export function startMatch(deps: GameDeps, start: NewMatch, announce: Announce): Match {
  const { lobby } = start;
  const recorded = recordTo(deps, start, announce);
  const match = assembleMatch(deps, start, recorded, createRoster(start.origin.id), announce);
  if (lobby.botCount > 0) applyRecorded(recorded, { type: 'setPopulation', count: lobby.botCount });
  report(match.feed, { type: 'lobby_opened' });
  publishLive(match);
  return match;
}

/** The parts of a match around its arena and the people in it. */
export function assembleMatch(
  deps: GameDeps,
  { lobby, origin: { id, commitment, publicPart } }: Pick<NewMatch, 'lobby' | 'origin'>,
  recorded: RecordedMatch,
  roster: Roster,
  announce: Announce,
): Match {
  const { ports, clock } = deps;
  const logger = deps.logger.child({ lobbyId: lobby.id, matchId: id });
  const { world } = recorded;
  const feed = createLiveFeed(announce, clock);
  return {
    id,
    commitment,
    lobby,
    deps,
    logger,
    recorded,
    world,
    roster,
    views: openViews(world, roster, lobby),
    standings: createStandings(world, lobby, (player) => nameOf(roster, player)),
    feed,
    results: { lobby, ports, feed, logger, pending: new Set() },
    loot: new Map(),
    outage: { drops: new Map(), awaited: undefined, truces: 0 },
    chain: { isAsked: false, named: publicPart?.slot ?? 0n },
    gathered: undefined,
    isShown: false,
    ending: { isAnnounced: false, idleSinceTick: undefined, settled: undefined },
    returning: undefined,
  };
}

/** Shows the lobby as alive in the menu. */
export function publishLive(match: Match): void {
  const { deps, lobby, roster, views, world } = match;
  const [players, bots] = [countSeated(roster), world.players.botCount];
  const expelled = listExpelled(roster);
  deps.ports.setLobbyLive(lobby.id, {
    totalPlayers: players,
    totalBots: bots,
    poolTotal: moneyInPlay(world),
    disconnected: listDisconnected(roster),
    ...(expelled.length > 0 && { expelled }),
    // Who plays for money must not be seen from outside.
    ...(match.isShown && lobby.isFree && { sketch: sketchArena(world, roster) }),
  });
  deps.meter?.room(lobby.name, { players, bots, spectators: views.spectators.byConnection.size });
}

/** The header goes before the first segment; if nobody ever joins, neither is written. */
function recordTo(
  { ports, ...deps }: GameDeps,
  { lobby, origin, spill }: NewMatch,
  announce: Announce,
): RecordedMatch {
  const rules = rulesOfLobby(deps.rules, lobby);
  const { id: matchId, secret, ...about } = origin;
  const key = keysUpTo(lastSecret(secret), about.publicPart);
  let hasHeader = false;
  return startRecordedMatch({ key, rules, spill }, (segment) => {
    if (!hasHeader) {
      void ports.recordPart(matchId, 'header', writeHeader({ matchId, ...about, spill, rules }));
    }
    hasHeader = true;
    recordSegment(ports, matchId, segment, announce);
  });
}

/** Everybody in the room gets the receipt, if there is one. */
export function recordSegment(
  ports: GameDeps['ports'],
  matchId: MatchId,
  segment: Uint8Array,
  announce: Announce,
): void {
  ports.recordPart(matchId, 'segment', segment).then(
    (receipt) => receipt && announce('receipt', receipt),
    // The host is gone, and this process with it.
    () => {},
  );
}

function openViews(world: World, roster: Roster, lobby: GameLobby): Views {
  const { players } = world;
  const describePlayer = (slot: number) => {
    const player = playerId(players, slot);
    const seat = roster.byPlayer.get(player)?.seat;
    return {
      name: nameOf(roster, player),
      colour: colourOf(roster, player),
      reward: rewardOf(lobby, players.bounty[slot]!),
      isAdmin: seat?.isAdmin ?? false,
      picture: avatarHashOf(seat?.avatarUrl ?? null),
    };
  };
  const delaySeconds = lobby.isFree ? 0 : PAID_SPECTATOR_DELAY_SECONDS;
  return createViews(world, describePlayer, delaySeconds);
}
