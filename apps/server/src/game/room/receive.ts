import { describeFailure } from '@engulf/domain/errors/registry';
import { ROOM_CHAT_CLIENT_MESSAGES } from '@engulf/protocol/room/chat-messages';
import type {
  ParsedMessage,
  RoomClientMessageType,
  RoomClientPayload,
} from '@engulf/protocol/room/client-messages';
import { confirmInputs } from '../match/confirm-inputs.ts';
import { noteInput } from '../match/idle-seats.ts';
import type { Match } from '../match/match.ts';
import { eject, growForTest, split, steer } from '../match/player-input.ts';
import type { Participant } from '../match/roster.ts';
import { spawn } from '../match/seats.ts';
import { resyncSpectator } from '../views/spectators.ts';
import { resyncView } from '../views/views.ts';
import { type GateRefusal, judgeMessage } from './message-gate.ts';
import { handleChat } from './room-chat.ts';
import { userOf, type Visit } from './visit-state.ts';

/** Checks a message from the client and acts on it. A refused one is answered. */
export function receive(
  match: Match,
  visit: Visit,
  type: RoomClientMessageType | undefined,
  body: unknown,
): void {
  if (visit.isKicked) return;
  const verdict = judgeMessage(visit.gate, type, body, match.deps.clock.monotonicMs());
  if (verdict.kind === 'accepted') {
    handleMessage(match, visit, verdict.message);
    return;
  }
  const { kind, refusal, isAnswered } = verdict;
  match.deps.meter?.refused('message', refusal.code);
  if (isAnswered) answerRefusal(visit, type, refusal);
  if (kind === 'dropped') return;
  const reason = refusal.code === 'RATE_LIMITED' ? 'Too many messages' : 'Invalid messages';
  match.logger.warn({ code: 'CLIENT_KICKED', userId: userOf(visit), reason }, 'client kicked');
  visit.isKicked = true;
  visit.connection.kick(reason);
}

function answerRefusal(
  { connection }: Visit,
  type: RoomClientMessageType | undefined,
  refusal: GateRefusal,
): void {
  if (type && Object.hasOwn(ROOM_CHAT_CLIENT_MESSAGES, type)) {
    connection.send('chatError', { error: describeFailure(refusal).text });
  } else connection.refuse(refusal, type);
}

function handleMessage(match: Match, visit: Visit, message: ParsedMessage): void {
  const { admission, connection } = visit;
  switch (message.type) {
    case 'ping':
      connection.send('pong', { id: message.payload.id });
      return;
    case 'chat':
    case 'privateMessage':
    case 'admin':
    case 'emote':
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
  { type: 'spawn' | 'movement' | 'split' | 'ejectMass' | 'f4Testing' | 'quality' | 'confirmInputs' }
>;

function handlePlayerMessage(match: Match, participant: Participant, message: PlayerMessage): void {
  const { recorded } = match;
  const { player } = participant;
  if (message.type === 'spawn') spawn(match, participant, message.payload);
  else if (message.type === 'confirmInputs') confirm(match, participant, message.payload);
  else if (message.type === 'quality') participant.quality = message.payload.level;
  else if (player === undefined) return;
  else if (message.type === 'f4Testing') growForTest(recorded, player);
  else {
    participant.latestInput = message.payload.seq;
    noteInput(match, participant, message.type === 'movement' ? message.payload : undefined);
    if (message.type === 'movement') steer(recorded, player, message.payload);
    else if (message.type === 'split') split(recorded, player);
    else eject(recorded, player);
  }
}

function confirm(match: Match, participant: Participant, payload: RoomClientPayload<'confirmInputs'>): void {
  confirmInputs(match, participant, payload).catch((error: unknown) => {
    match.logger.error(
      { code: 'MESSAGE_FAILED', err: error, type: 'confirmInputs' },
      'could not check inputs',
    );
  });
}
