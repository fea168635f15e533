import { randomInt, randomUUID } from 'node:crypto';
import { type MatchId, matchId as toMatchId } from '@engulf/domain/ids/entity-ids';
import type {
  LiveUpdate,
  RoomServerMessageType,
  RoomServerPayload,
} from '@engulf/protocol/room/server-messages';
import { appendLatest, LIVE_FEED_LENGTH } from '@engulf/protocol/room/server-messages';
import { applyRecorded, type RecordedMatch, startRecordedMatch } from '@engulf/sim/recording';
import type { World } from '@engulf/sim/world';
import type { Logger } from 'pino';
import { createScoreboard, type Scoreboard } from '../board/scoreboard.ts';
import type { GameDeps, GameLobby, GamePorts } from '../ports.ts';
import { createViews, type Views } from '../views/views.ts';
import { createMoneyQueue, type MoneyQueue } from './money-queue.ts';
import type { Pointers } from './player-input.ts';
import { createRoster, type Roster } from './roster.ts';
import type { Spoils } from './spoils.ts';

/** Sends one message to everybody in the room. */
export type Announce = <Type extends RoomServerMessageType>(
  type: Type,
  payload: RoomServerPayload<Type>,
) => void;

/** One run of one arena, from the opening of a lobby's room to its end. */
export type Match = {
  readonly id: MatchId;
  readonly lobby: GameLobby;
  readonly startedAt: Date;
  readonly recorded: RecordedMatch;
  readonly world: World;
  readonly roster: Roster;
  readonly money: MoneyQueue;
  readonly spoils: Spoils;
  readonly pointers: Pointers;
  readonly views: Views;
  readonly scoreboard: Scoreboard;
  readonly ports: GamePorts;
  readonly logger: Logger;
  readonly announce: Announce;
  /** Whoever comes in gets what the live feed shows. */
  feed: readonly LiveUpdate[];
  isClosing: boolean;
  /** Since when nobody has been here, in ticks. */
  emptySinceTick: number | undefined;
  /** Resolves when all is settled and saved. */
  finished: Promise<void> | undefined;
};

const MAX_SEED = 2 ** 32;

export function startMatch(
  { ports, rules, logger }: GameDeps,
  lobby: GameLobby,
  spill: bigint,
  announce: Announce,
): Match {
  const id = toMatchId(randomUUID());
  const recorded = startRecordedMatch(randomInt(MAX_SEED), rules, spill);
  const roster = createRoster();
  const matchLogger = logger.child({ lobbyId: lobby.id, matchId: id });
  const match: Match = {
    id,
    lobby,
    startedAt: new Date(),
    recorded,
    world: recorded.world,
    roster,
    money: createMoneyQueue(ports, lobby.id, matchLogger),
    spoils: new Map(),
    pointers: new Map(),
    views: createViews(recorded.world, roster, lobby),
    scoreboard: createScoreboard(),
    ports,
    logger: matchLogger,
    announce,
    feed: [],
    isClosing: false,
    emptySinceTick: undefined,
    finished: undefined,
  };
  if (lobby.botCount > 0) applyRecorded(recorded, { type: 'setPopulation', count: lobby.botCount });
  report(match, { type: 'lobby_opened', timestamp: Date.now() });
  return match;
}

/** Puts a line into everybody's live feed. */
export function report(match: Match, update: LiveUpdate): void {
  match.feed = appendLatest(match.feed, update, LIVE_FEED_LENGTH);
  match.announce('liveUpdate', update);
}

/** Announces the end of the match; a second announcement changes nothing. */
export function closeIn(match: Match, seconds: number): void {
  if (match.isClosing) return;
  match.isClosing = true;
  applyRecorded(match.recorded, { type: 'close', inSeconds: Math.max(0, seconds) });
}
