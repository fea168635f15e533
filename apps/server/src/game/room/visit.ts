import { randomBytes } from 'node:crypto';
import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { JoinOptions } from '@engulf/protocol/room/join';
import { sendStandings } from '../board/standings.ts';
import type { Connection } from '../connection.ts';
import type { Visitor } from '../entrance/entrance.ts';
import { ROOM_LIMITS } from '../limits.ts';
import { sendLiveFeed } from '../match/live-feed.ts';
import type { Match } from '../match/match.ts';
import { hasPlayed, seatStateOf } from '../match/roster.ts';
import { attach, detach, isTester, takeSeat, welcomeForSpectator } from '../match/seats.ts';
import { addSpectator, removeSpectator, type SpectatorRefusal } from '../views/spectators.ts';
import { createMessageGate } from './message-gate.ts';
import type { Admission, Visit } from './visit-state.ts';

type JoinRefusal = Failure<
  | 'LOBBY_CLOSED'
  | 'LOBBY_OFFLINE'
  | 'JOIN_TICKET_INVALID'
  | 'USER_BANNED'
  | 'SESSION_ENDED'
  | 'SPECTATE_NEEDS_WALLET'
  | 'INVALID_LOBBY_CODE'
  | 'RATE_LIMITED'
>;

const TOKEN_BYTES = 16;

/** Decides who may come in. Identity comes from the ticket (players) or the session cookie (spectators). */
export async function admit(
  match: Match,
  options: JoinOptions,
  { cookieHeader, address }: Visitor,
): Promise<Result<Admission, JoinRefusal>> {
  const { lobby, world, roster, deps } = match;
  if (world.clock.isEnded) return err(failure('LOBBY_CLOSED'));
  if (options.type === 'spectator') {
    const user = await deps.ports.identify(cookieHeader);
    if (!user) return err(failure('SPECTATE_NEEDS_WALLET'));
    const { userId, name } = user;
    // Players of this match have entered the code before.
    if (lobby.lobbyType === 'semi-private' && !hasPlayed(roster, userId)) {
      const code = options.lobbyCode ?? undefined;
      const checked = await deps.ports.checkLobbyCode(lobby.id, code, { userId, address });
      if (!checked.ok) return checked;
    }
    return ok({ role: 'spectator', userId, name, cookieHeader });
  }
  const redeemed = await deps.ports.redeemTicket(options.joinTicket, lobby.id);
  if (!redeemed.ok) return redeemed;
  const taken = takeSeat(match, redeemed.value);
  return taken.ok ? ok({ role: 'player', participant: taken.value }) : taken;
}

export function startVisit(
  match: Match,
  admission: Admission,
  connection: Connection,
): Result<Visit, SpectatorRefusal | Failure<'SESSION_ENDED'>> {
  const isTesting = admission.role === 'player' && isTester(match);
  const visit: Visit = {
    admission,
    gate: createMessageGate(isTesting ? 'tester' : admission.role, match.deps.clock.monotonicMs()),
    resumeToken: randomBytes(TOKEN_BYTES).toString('base64url'),
    talk: { tail: Promise.resolve(), pending: 0 },
    connection,
    isKicked: false,
  };
  const placed = connectVisit(match, visit);
  if (!placed.ok) return placed;
  sendLiveFeed(match.feed, connection);
  return ok(visit);
}

/** The visitor is back on another connection. */
export function resumeVisit(
  match: Match,
  visit: Visit,
  connection: Connection,
): Result<undefined, SpectatorRefusal | Failure<'SESSION_ENDED'>> {
  const { admission } = visit;
  visit.connection = connection;
  // The player has joined again meanwhile, and that newer connection must not be closed for this one.
  const isReplaced = admission.role === 'player' && admission.participant.connection !== undefined;
  return isReplaced ? err(failure('SESSION_ENDED')) : connectVisit(match, visit);
}

/** Connects the visit to what it was admitted to. */
function connectVisit(
  match: Match,
  visit: Visit,
): Result<undefined, SpectatorRefusal | Failure<'SESSION_ENDED'>> {
  const { admission, connection, resumeToken } = visit;
  if (admission.role === 'player') {
    if (admission.participant.isExpelled) return err(failure('SESSION_ENDED'));
    try {
      attach(match, admission.participant, connection, resumeToken);
    } catch (error) {
      // Nobody would ever report the end of this connection.
      suspendVisit(match, visit);
      throw error;
    }
    return ok(undefined);
  }
  const { userId, name } = admission;
  const { views, roster } = match;
  const added = addSpectator(views.spectators, userId, connection, seatStateOf(roster, userId));
  if (!added.ok) return added;
  connection.send('welcome', { ...welcomeForSpectator(match, name), resumeToken });
  sendStandings(match.standings, connection);
  return added;
}

export function suspendVisit(match: Match, { admission, connection }: Visit): void {
  if (admission.role === 'player') detach(match, admission.participant, connection);
  else removeSpectator(match.views.spectators, connection);
}

/** How long the visitor may take to come back on another connection; 0 for never. Ask before suspending the visit. */
export function returnSecondsOf({ world }: Match, { admission, connection, isKicked }: Visit): number {
  if (isKicked) return 0;
  const { graceSeconds } = world.rules.departure;
  if (admission.role === 'spectator') return graceSeconds;
  const { participant } = admission;
  if (participant.connection !== connection) return 0;
  return participant.state === 'over' ? ROOM_LIMITS.finishedKnownSeconds : graceSeconds;
}

/** Kicks a spectator who has signed out. */
export async function recheckVisit({ deps, logger }: Match, visit: Visit): Promise<void> {
  const { admission } = visit;
  if (admission.role !== 'spectator' || visit.isKicked) return;
  try {
    const user = await deps.ports.identify(admission.cookieHeader);
    if (user?.userId === admission.userId) return;
  } catch (error) {
    logger.error(
      { code: 'SPECTATOR_NOT_CHECKED', err: error, userId: admission.userId },
      'could not check a spectator',
    );
    return;
  }
  visit.isKicked = true;
  visit.connection.kick('You are signed out');
}
