import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { Match } from '../match/match.ts';
import type { Participant } from '../match/roster.ts';
import type { RunningRoom } from './running-room.ts';
import { gateOf, suspendVisit, takePlace } from './visit.ts';
import type { Visit } from './visit-state.ts';

/**
 * Gives a visit whose game is over the seat of another ticket, on the same connection: players come back all the time,
 * and connecting costs the room more than the seat does. Returns who took the seat.
 */
export async function playAgain(
  match: Match,
  visit: Visit,
  joinTicket: string,
  admit: RunningRoom['admit'],
): Promise<Participant | undefined> {
  const before = visit.admission;
  if (visit.isTakingSeat || before.role !== 'player' || before.participant.state !== 'over') return undefined;
  visit.isTakingSeat = true;
  const options = {
    type: 'player',
    lobbyId: match.lobby.id,
    joinTicket,
    ...(!before.isPlain && { protocolVersion: PROTOCOL_VERSION }),
  };
  const { address } = visit.connection;
  const admitted = await admit(options, { cookieHeader: undefined, address });
  visit.isTakingSeat = false;
  // It may be another connection by now, or none.
  const { connection } = visit;
  connection.send('nextSeat', { error: admitted.ok ? null : admitted.error.code });
  if (!admitted.ok) match.deps.meter?.refused('join', admitted.error.code);
  if (!admitted.ok || admitted.value.role !== 'player') return undefined;
  const isConnected = before.participant.connection === connection;
  suspendVisit(match, visit);
  visit.admission = admitted.value;
  visit.gate = gateOf(match, admitted.value);
  // Otherwise the seat waits for the client to come back, and is refunded if it does not.
  if (isConnected) takePlace(match, visit);
  return admitted.value.participant;
}
