import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { ParsedMessage, RoomClientMessageType } from '@engulf/protocol/room/client-messages';
import { joinOptionsSchema } from '@engulf/protocol/room/join-options';
import { hasKnownProtocol } from '@engulf/protocol/version';
import { sendStandings } from '../board/standings.ts';
import type { Connection } from '../connection.ts';
import { ROOM_LIMITS } from '../limits.ts';
import { sendLiveFeed } from '../match/live-feed.ts';
import type { Match } from '../match/match.ts';
import { eject, growForTest, split, steer } from '../match/player-input.ts';
import { hasPlayed, type Participant, seatStateOf } from '../match/roster.ts';
import { attach, detach, isTester, spawn, takeSeat, welcomeFor } from '../match/seats.ts';
import {
  addSpectator,
  removeSpectator,
  resyncSpectator,
  type SpectatorRefusal,
} from '../views/spectators.ts';
import { resyncView } from '../views/views.ts';
import { createMessageGate, judgeMessage, type MessageGate } from './message-gate.ts';
import { handleChat } from './room-chat.ts';
import { type Admission, userOf, type Visit, type Visitor } from './visit-state.ts';

type JoinRefusal = Failure<
  | 'PROTOCOL_MISMATCH'
  | 'INVALID_REQUEST'
  | 'LOBBY_NOT_FOUND'
  | 'LOBBY_CLOSED'
  | 'LOBBY_OFFLINE'
  | 'JOIN_TICKET_INVALID'
  | 'USER_BANNED'
  | 'SESSION_ENDED'
  | 'SPECTATE_NEEDS_WALLET'
  | 'INVALID_LOBBY_CODE'
  | 'RATE_LIMITED'
>;

/** Decides who may come in. Identity comes from the ticket (players) or the session cookie (spectators). */
export async function admit(
  match: Match,
  joinOptions: unknown,
  { cookieHeader, address }: Visitor,
): Promise<Result<Admission, JoinRefusal>> {
  const { lobby, world, roster, deps } = match;
  if (!hasKnownProtocol(joinOptions)) return err(failure('PROTOCOL_MISMATCH'));
  const { data: options } = joinOptionsSchema.safeParse(joinOptions);
  if (!options) return err(failure('INVALID_REQUEST'));
  if (options.lobbyId !== lobby.id) return err(failure('LOBBY_NOT_FOUND'));
  if (world.clock.isEnded) return err(failure('LOBBY_CLOSED'));
  const isPlain = options.protocolVersion === undefined;
  if (options.type === 'spectator') {
    const user = await deps.ports.identify(cookieHeader);
    if (!user) return err(failure('SPECTATE_NEEDS_WALLET'));
    const { userId } = user;
    // Players of this match have entered the code before.
    if (lobby.lobbyType === 'semi-private' && !hasPlayed(roster, userId)) {
      const checked = await deps.ports.checkLobbyCode(lobby.id, options.lobbyCode, { userId, address });
      if (!checked.ok) return checked;
    }
    return ok({ role: 'spectator', isPlain, userId, cookieHeader });
  }
  const redeemed = await deps.ports.redeemTicket(options.joinTicket, lobby.id);
  if (!redeemed.ok) return redeemed;
  const taken = takeSeat(match, redeemed.value);
  return taken.ok ? ok({ role: 'player', isPlain, participant: taken.value }) : taken;
}

export function startVisit(
  match: Match,
  admission: Admission,
  connection: Connection,
): Result<Visit, SpectatorRefusal | Failure<'SESSION_ENDED'>> {
  const visit: Visit = {
    admission,
    gate: gateOf(match, admission),
    talk: { tail: Promise.resolve(), pending: 0 },
    connection,
    isTakingSeat: false,
    isKicked: false,
  };
  const placed = takePlace(match, visit);
  if (!placed.ok) return placed;
  sendLiveFeed(match.feed, connection);
  return ok(visit);
}

/** What somebody with that admission may send. */
export function gateOf(match: Match, admission: Admission): MessageGate {
  const mayTest = admission.role === 'player' && isTester(match, admission.participant);
  return createMessageGate(mayTest ? 'tester' : admission.role, match.deps.clock.monotonicMs());
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
  return isReplaced ? err(failure('SESSION_ENDED')) : takePlace(match, visit);
}

/** Connects the visit to what it was admitted to. */
export function takePlace(
  match: Match,
  visit: Visit,
): Result<undefined, SpectatorRefusal | Failure<'SESSION_ENDED'>> {
  const { admission, connection } = visit;
  if (admission.role === 'player') {
    if (admission.participant.isExpelled) return err(failure('SESSION_ENDED'));
    attach(match, admission.participant, connection);
    return ok(undefined);
  }
  const { userId } = admission;
  const { views, roster } = match;
  const added = addSpectator(views.spectators, admission, connection, seatStateOf(roster, userId));
  if (!added.ok) {
    visit.isKicked = true;
    return added;
  }
  connection.send('welcome', welcomeFor(match, undefined));
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

/** Checks a message from the client and acts on it. */
export function receive(
  match: Match,
  visit: Visit,
  type: RoomClientMessageType | undefined,
  payload: unknown,
  onPlayAgain: (visit: Visit, joinTicket: string) => void,
): void {
  if (visit.isKicked) return;
  const verdict = judgeMessage(visit.gate, type, payload, match.deps.clock.monotonicMs());
  if (verdict.kind === 'accepted') {
    if (verdict.message.type === 'playAgain') onPlayAgain(visit, verdict.message.payload.joinTicket);
    else handleMessage(match, visit, verdict.message);
    return;
  }
  match.deps.meter?.refused('message', verdict.reason);
  if (verdict.kind === 'abusive') {
    match.logger.warn(
      { code: 'CLIENT_KICKED', userId: userOf(visit), reason: verdict.reason },
      'client kicked',
    );
    visit.isKicked = true;
    visit.connection.kick(verdict.reason);
  }
}

function handleMessage(
  match: Match,
  visit: Visit,
  message: Exclude<ParsedMessage, { type: 'playAgain' }>,
): void {
  const { admission, connection } = visit;
  switch (message.type) {
    case 'ping':
      connection.send('pong', { id: message.payload.id });
      return;
    case 'chat':
    case 'privateMessage':
    case 'admin':
    case 'requestChatHistory':
      handleChat(match, visit, message);
      return;
    case 'fullUpdate':
      if (admission.role === 'player') resyncView(match.views, connection);
      else resyncSpectator(match.views.spectators, connection);
      return;
    default:
      if (admission.role === 'player') handlePlayerMessage(match, admission.participant, message);
  }
}

type PlayerMessage = Extract<
  ParsedMessage,
  { type: 'spawn' | 'movement' | 'split' | 'ejectMass' | 'f4Testing' | 'quality' }
>;

function handlePlayerMessage(match: Match, participant: Participant, message: PlayerMessage): void {
  const { recorded } = match;
  const { player } = participant;
  if (message.type === 'spawn') spawn(match, participant, message.payload);
  else if (message.type === 'quality') participant.quality = message.payload.level;
  else if (player === undefined) return;
  else if (message.type === 'f4Testing') growForTest(recorded, player);
  else {
    participant.latestInput = message.payload.seq;
    if (message.type === 'movement') steer(recorded, player, message.payload);
    else if (message.type === 'split') split(recorded, player);
    else eject(recorded, player);
  }
}
