import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { findPlayer } from '@engulf/sim/players';
import { applyRecorded } from '@engulf/sim/recording';
import { MILLI } from '@engulf/sim/rules';
import { rewardOf } from '../board/reward.ts';
import { catchUpStandings } from '../board/scoreboard.ts';
import type { Seat } from '../ports.ts';
import type { Connection } from '../room/connection.ts';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { closePlaces } from '../views/spectator-place.ts';
import { endView, startView } from '../views/views.ts';
import { endGame } from './game-over.ts';
import type { Match } from './match.ts';
import { addParticipant, type Participant, setPlayer } from './roster.ts';

/**
 * Holds the place of whoever redeemed a ticket, from that moment on: the money is in this match's care even if
 * the connection breaks before anything else happens. An entry that is in the match already keeps its body.
 */
export function takeSeat(
  match: Match,
  seat: Seat,
): Result<Participant, Failure<'SESSION_ENDED' | 'LOBBY_CLOSED'>> {
  const known = match.roster.byEntry.get(seat.entryId);
  if (known) return known.state === 'over' ? err(failure('SESSION_ENDED')) : ok(known);
  const { clock, rules } = match.world;
  const spawnByTick = clock.tick + ROOM_LIMITS.spawnWithinSeconds * rules.stepsPerSecond;
  const participant = addParticipant(match.roster, seat, spawnByTick);
  closePlaces(match, seat.userId);
  if (!clock.isEnded) return ok(participant);
  giveSeatBack(match, participant, 'closed');
  return err(failure('LOBBY_CLOSED'));
}

/** A connection takes the seat; one that held it before is closed. */
export function attach(match: Match, participant: Participant, connection: Connection): void {
  const previous = participant.connection;
  if (previous) {
    endView(match.views, previous);
    previous.kick('You joined from somewhere else');
  }
  participant.connection = connection;
  if (participant.player !== undefined) {
    applyRecorded(match.recorded, { type: 'reconnect', player: participant.player });
  }
  connection.send('welcome', welcomeFor(match, participant));
  startView(match.views, connection, participant);
  catchUpStandings(match, connection, participant.player);
  if (participant.gameOver) connection.send('gameOver', participant.gameOver);
}

/** The connection is gone. The body stays for a while: the simulation counts the seconds. */
export function detach(match: Match, participant: Participant, connection: Connection): void {
  endView(match.views, connection);
  if (participant.connection !== connection) return;
  participant.connection = undefined;
  if (participant.player === undefined) return;
  applyRecorded(match.recorded, { type: 'disconnect', player: participant.player });
}

/** Enters the arena. Sent again, it only says how large the window is now. */
export function spawn(match: Match, participant: Participant, wish: RoomClientPayload<'spawn'>): void {
  const { connection, seat } = participant;
  if (!connection) return;
  participant.screen = { widthPx: wish.screenWidth, heightPx: wish.screenHeight };
  if (participant.state !== 'waiting') return;
  const applied = applyRecorded(match.recorded, { type: 'join', stake: seat.stake });
  if (!applied.ok || applied.player === undefined) {
    match.logger.error({ entryId: seat.entryId, applied }, 'a player could not enter the arena');
    giveSeatBack(match, participant, 'fault');
    return;
  }
  setPlayer(match.roster, participant, applied.player);
  connection.send('welcome', welcomeFor(match, participant));
}

/** Gives the whole stake of those back who took a seat and never spawned. */
export function giveUnusedSeatsBack(match: Match): void {
  const { tick, isEnded } = match.world.clock;
  for (const participant of match.roster.byEntry.values()) {
    if (participant.state !== 'waiting') continue;
    if (isEnded) giveSeatBack(match, participant, 'closed');
    else if (tick >= participant.spawnByTick) giveSeatBack(match, participant, 'forfeit');
  }
}

function giveSeatBack(match: Match, participant: Participant, kind: 'forfeit' | 'closed' | 'fault'): void {
  void endGame(match, participant, { kind, amount: participant.seat.stake, massMilli: 0 });
}

export function welcomeFor(match: Match, participant: Participant | undefined): RoomServerPayload<'welcome'> {
  const { rules } = match.world;
  return {
    player: participant ? ownPlayer(match, participant) : null,
    worldSize: rules.worldSize,
    ticksPerSecond: rules.stepsPerSecond,
    isFreeLobby: match.lobby.isFree,
    tokenSymbol: match.lobby.token.symbol,
  };
}

function ownPlayer(
  { world, lobby }: Match,
  participant: Participant,
): RoomServerPayload<'welcome'>['player'] {
  const { players } = world;
  const slot = participant.player === undefined ? -1 : findPlayer(players, participant.player);
  if (slot < 0) return null;
  return {
    id: participant.player!,
    name: participant.seat.name,
    x: players.centreX[slot]!,
    y: players.centreY[slot]!,
    massTotal: players.massMilli[slot]! / MILLI,
    reward: rewardOf(lobby, players.bounty[slot]!),
  };
}
