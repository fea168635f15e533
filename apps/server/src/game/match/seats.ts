import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import { CLOSE_CODES, type RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { toHex } from '@engulf/sim/keys';
import { isKind } from '@engulf/sim/newcomers';
import { findPlayer } from '@engulf/sim/players';
import { watchInputs } from '@engulf/sim/recording/input-log';
import { applyRecorded } from '@engulf/sim/recording/recorder';
import { MILLI } from '@engulf/sim/rules';
import { rewardOf, sendStandings } from '../board/standings.ts';
import type { Connection } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { Seat } from '../ports.ts';
import { kickSpectator } from '../views/spectators.ts';
import { endView, startView } from '../views/views.ts';
import { noteGathered } from './gathering.ts';
import { noteInput } from './idle-seats.ts';
import type { Match } from './match.ts';
import { refundStake } from './results.ts';
import { addParticipant, entriesOf, forgetParticipant, type Participant, setPlayer } from './roster.ts';

/**
 * Seats a player whose ticket was redeemed. From here on the match is responsible for the stake, even if the
 * connection breaks before anything else happens. An entry that is already in the match keeps its cells.
 */
export function takeSeat(
  { world, roster, views, results }: Match,
  seat: Seat,
): Result<Participant, Failure<'SESSION_ENDED' | 'LOBBY_CLOSED'>> {
  const known = roster.byEntry.get(seat.entryId);
  // A player who returns to a game that has just ended is told the result.
  const mayEnter = known && !known.isExpelled && (known.state !== 'over' || seat.isReturn);
  if (mayEnter) return ok(known);
  if (known) return err(failure('SESSION_ENDED'));
  // An unknown entry that returns has redeemed its ticket before, but the answer was lost: this is its first visit.
  const { clock, rules } = world;
  const spawnByTick = clock.tick + ROOM_LIMITS.spawnWithinSeconds * rules.stepsPerSecond;
  const participant = addParticipant(roster, seat, spawnByTick);
  kickSpectator(views.spectators, seat.userId);
  if (!clock.isEnded) return ok(participant);
  refundStake(results, participant, 'closed');
  return err(failure('LOBBY_CLOSED'));
}

/** Gives the seat to a connection, which can be resumed with the token; the previous one is closed. */
export function attach(
  match: Match,
  participant: Participant,
  connection: Connection,
  resumeToken: string,
): void {
  const previous = participant.connection;
  if (previous) {
    endView(match.views, previous);
    previous.kick('You joined from somewhere else');
  }
  participant.connection = connection;
  participant.forgetAtTick = undefined;
  participant.quality = 'excellent';
  noteInput(match, participant);
  if (participant.player !== undefined) {
    applyRecorded(match.recorded, { type: 'reconnect', player: participant.player });
  }
  connection.send('welcome', { ...welcomeFor(match, participant), resumeToken });
  if (participant.state !== 'over') startView(match.views, connection, participant);
  sendStandings(match.standings, connection, participant.player);
  if (participant.gameOver) connection.send('gameOver', participant.gameOver);
}

/** The connection is gone. The cells stay for the grace period, which the simulation counts. */
export function detach(match: Match, participant: Participant, connection: Connection): void {
  endView(match.views, connection);
  if (participant.connection !== connection) return;
  participant.connection = undefined;
  if (participant.player === undefined) return;
  applyRecorded(match.recorded, { type: 'disconnect', player: participant.player });
}

/**
 * Players who were told a moment ago how their game ended no longer see the arena. Their connections are closed a while
 * later, unless they join again on them, and after another while they are forgotten. Call once a second.
 */
export function dismissFinished(match: Match): void {
  const { roster, world, views } = match;
  const { clock, rules } = world;
  const inSeconds = (seconds: number) => clock.tick + seconds * rules.stepsPerSecond;
  for (const participant of roster.byEntry.values()) {
    if (!participant.gameOver) continue;
    if (participant.connection) {
      participant.toldAtTick ??= clock.tick;
      const seconds = (clock.tick - participant.toldAtTick) / rules.stepsPerSecond;
      if (seconds >= ROOM_LIMITS.playAgainSeconds) dismiss(match, participant);
      else if (seconds >= ROOM_LIMITS.gameOverViewSeconds) endView(views, participant.connection);
    } else {
      participant.forgetAtTick ??= inSeconds(ROOM_LIMITS.finishedKnownSeconds);
      if (clock.tick >= participant.forgetAtTick) forgetParticipant(roster, participant);
    }
  }
}

/** Closes a user's connections to games that are over. Call when the user takes a seat, in this match or another. */
export function dismissUser(match: Match, userId: UserId): void {
  for (const participant of entriesOf(match.roster, userId)) {
    if (participant.state === 'over') dismiss(match, participant);
  }
}

function dismiss({ views }: Match, { connection }: Participant): void {
  if (!connection) return;
  endView(views, connection);
  void connection.close(CLOSE_CODES.left);
}

/** Enters the arena. Sent again, it only updates the size of the player's screen. */
export function spawn(match: Match, participant: Participant, wish: RoomClientPayload<'spawn'>): void {
  const { connection, seat } = participant;
  if (!connection) return;
  participant.screen = { widthPx: wish.screenWidth, heightPx: wish.screenHeight };
  if (participant.state !== 'waiting') return;
  const applied = applyRecorded(match.recorded, {
    type: 'join',
    stake: seat.stake,
    entry: seat.entryId,
    ...(seat.isNewcomer && isKind(match.world.rules) ? { isNewcomer: true } : {}),
  });
  if (!applied.ok || applied.player === undefined) {
    match.logger.error(
      { code: 'SPAWN_FAILED', entryId: seat.entryId, applied },
      'a player could not enter the arena',
    );
    refundStake(match.results, participant, 'fault');
    return;
  }
  setPlayer(match.roster, participant, applied.player);
  if (seat.inputsKey !== undefined) watchInputs(match.recorded.inputs, match.world, applied.player);
  participant.life.bornTick = match.world.clock.tick;
  noteInput(match, participant);
  noteGathered(match, participant);
  connection.send('welcome', welcomeFor(match, participant));
}

/** The welcome of a player. */
function welcomeFor(match: Match, participant: Participant): RoomServerPayload<'welcome'> {
  const { seat } = participant;
  return {
    player: { ...playerWithoutBody(match, seat.name), admin: seat.isAdmin, ...bodyOf(match, participant) },
    ...aboutMatch(match),
    isTesting: isTester(match),
    gameId: seat.entryId,
    ...(seat.inputsKey !== undefined && { inputsKey: seat.inputsKey }),
  };
}

export function welcomeForSpectator(match: Match, name: string): RoomServerPayload<'welcome'> {
  return { player: playerWithoutBody(match, name), ...aboutMatch(match), isTesting: false };
}

function aboutMatch({ id, commitment, world, lobby }: Match) {
  return {
    matchId: id,
    commitment: toHex(commitment),
    worldSize: world.rules.worldSize,
    ticksPerSecond: world.rules.stepsPerSecond,
    isFreeLobby: lobby.isFree,
    tokenSymbol: lobby.token.symbol,
  };
}

/** Whether players may ask for mass, to try things out. */
export function isTester({ lobby, deps }: Match): boolean {
  return lobby.isFree && deps.isTesting;
}

type OwnPlayer = RoomServerPayload<'welcome'>['player'];

/** In the middle of the arena. No player in it has the id 0. */
function playerWithoutBody({ world, lobby }: Match, name: string): OwnPlayer {
  const middle = world.rules.worldSize / 2;
  return { id: 0, name, x: middle, y: middle, massTotal: 0, reward: rewardOf(lobby, 0n), admin: false };
}

function bodyOf({ world, lobby }: Match, { player, seat }: Participant): Partial<OwnPlayer> {
  const { players } = world;
  const slot = player === undefined ? -1 : findPlayer(players, player);
  if (slot < 0) return { reward: rewardOf(lobby, seat.stake) };
  return {
    id: player!,
    x: players.centreX[slot]!,
    y: players.centreY[slot]!,
    massTotal: players.massMilli[slot]! / MILLI,
    reward: rewardOf(lobby, players.bounty[slot]!),
  };
}
