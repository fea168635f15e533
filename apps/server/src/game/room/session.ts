import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { catchUpStandings } from '../board/scoreboard.ts';
import type { Match } from '../match/match.ts';
import { eject, split, steer } from '../match/player-input.ts';
import type { Participant } from '../match/roster.ts';
import { attach, detach, spawn, welcomeFor } from '../match/seats.ts';
import { restartSpectator, unseatSpectator } from '../views/gallery.ts';
import { type PlaceRefusal, takePlace } from '../views/spectator-place.ts';
import { restartView } from '../views/views.ts';
import type { Connection } from './connection.ts';
import type { ClientMessage } from './message-gate.ts';
import { createMessageGate, judgeMessage, type MessageGate } from './message-gate.ts';

/** Who was let in. */
export type Admission =
  | { readonly role: 'player'; readonly participant: Participant }
  | { readonly role: 'spectator'; readonly userId: UserId };

/** Somebody's stay in the room; it outlives a connection that breaks and is made again. */
export type Session = {
  readonly admission: Admission;
  readonly gate: MessageGate;
  connection: Connection;
  isKicked: boolean;
};

export function openSession(
  match: Match,
  admission: Admission,
  connection: Connection,
): Result<Session, PlaceRefusal> {
  const session: Session = {
    admission,
    gate: createMessageGate(admission.role, Date.now()),
    connection,
    isKicked: false,
  };
  const resumed = resumeSession(match, session, connection);
  if (!resumed.ok) return resumed;
  for (const update of match.feed) connection.send('liveUpdate', update);
  return ok(session);
}

export function resumeSession(
  match: Match,
  session: Session,
  connection: Connection,
): Result<undefined, PlaceRefusal> {
  const { admission } = session;
  session.connection = connection;
  if (admission.role === 'player') {
    attach(match, admission.participant, connection);
    return ok(undefined);
  }
  const taken = takePlace(match, admission.userId, connection);
  if (!taken.ok) {
    session.isKicked = true;
    return taken;
  }
  connection.send('welcome', welcomeFor(match, undefined));
  catchUpStandings(match, connection);
  return taken;
}

export function suspendSession(match: Match, { admission, connection }: Session): void {
  if (admission.role === 'player') detach(match, admission.participant, connection);
  else unseatSpectator(match.views.gallery, connection);
}

/** Whether it is worth waiting for this one to come back. Asked before the session is suspended. */
export function mayResume({ admission, connection, isKicked }: Session): boolean {
  if (isKicked) return false;
  if (admission.role === 'spectator') return true;
  const { participant } = admission;
  return participant.state !== 'over' && participant.connection === connection;
}

/** Acts on what a client sent, if it is well-formed and not too much. */
export function receive(match: Match, session: Session, type: unknown, payload: unknown): void {
  if (session.isKicked) return;
  const verdict = judgeMessage(session.gate, type, payload, Date.now());
  if (verdict.kind === 'accepted') obey(match, session, verdict.message);
  else if (verdict.kind === 'abusive') {
    const { admission } = session;
    const userId = admission.role === 'player' ? admission.participant.seat.userId : admission.userId;
    match.logger.warn({ userId, reason: verdict.reason }, 'a client was kicked');
    session.isKicked = true;
    session.connection.kick(verdict.reason);
  }
}

function obey(match: Match, { admission, connection }: Session, message: ClientMessage): void {
  if (message.type === 'ping') {
    connection.send('pong', { id: message.payload.id });
    return;
  }
  if (admission.role === 'spectator') {
    if (message.type === 'fullUpdate') restartSpectator(match.views.gallery, connection);
    return;
  }
  const { participant } = admission;
  switch (message.type) {
    case 'fullUpdate':
      restartView(match.views, connection);
      return;
    case 'spawn':
      spawn(match, participant, message.payload);
      return;
    case 'movement':
      steer(match, participant, message.payload);
      return;
    case 'split':
      split(match, participant);
      return;
    case 'ejectMass':
      eject(match, participant);
  }
}
