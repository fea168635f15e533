import { EMOTES } from '@engulf/domain/chat/emotes';
import { isPrivateMessage, parsePrivateMessage } from '@engulf/domain/chat/private-message';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { ParsedMessage } from '@engulf/protocol/room/client-messages';
import type { Match } from '../match/match.ts';
import { entriesOf, findConnected, type Participant } from '../match/roster.ts';
import type { ChatVisitor } from '../ports.ts';
import { userOf, type Visit } from './visit-state.ts';

type ChatClientMessage = Extract<
  ParsedMessage,
  { type: 'chat' | 'privateMessage' | 'admin' | 'emote' | 'requestChatHistory' }
>;

/** While the database is slow, messages beyond this are refused rather than queued. */
const MAX_PENDING = 4;
const KICK_REASON = 'removed by an admin';
const CLEARED = 'An admin has cleared the chat.';

/** Forwards the chat of the room's lobby to its visitors. Returns a function that stops it. */
export function followChat(match: Match, visits: () => readonly Visit[]): () => void {
  const { lobby, deps, feed, logger } = match;
  return deps.chat.follow((event) => {
    switch (event.kind) {
      case 'line':
        if (event.line.lobbyId === lobby.id) feed.announce('chatMessage', event.line);
        return;
      case 'removed':
        if (event.lobbyId !== lobby.id) return;
        showAgain(match).catch((error: unknown) =>
          logger.error({ code: 'CHAT_FAILED', err: error }, 'the chat was not read'),
        );
        return;
      case 'kicked':
        expelUser(match, event.userId, visits(), KICK_REASON);
    }
  });
}

/** Answers asynchronously; ticks do not wait for it. */
export function handleChat(match: Match, visit: Visit, message: ChatClientMessage): void {
  const { talk } = visit;
  if (talk.pending >= MAX_PENDING) {
    explain(visit, failure('RATE_LIMITED'));
    return;
  }
  talk.pending++;
  talk.tail = talk.tail.then(() => answer(match, visit, message)).finally(() => talk.pending--);
}

async function answer(match: Match, visit: Visit, message: ChatClientMessage): Promise<void> {
  try {
    const refused = visit.isKicked ? undefined : await act(match, visit, message);
    // An empty message gets no answer.
    if (refused && refused.code !== 'CHAT_EMPTY') explain(visit, refused);
  } catch (error) {
    match.logger.error({ code: 'CHAT_FAILED', err: error }, 'a chat message was not handled');
    explain(visit, failure('CHAT_NOT_SENT'));
  }
}

async function act(match: Match, visit: Visit, sent: ChatClientMessage): Promise<Failure | undefined> {
  const { lobby, deps } = match;
  const meant = meaningOf(sent);
  if (!meant.ok) return meant.error;
  const message = meant.value;
  const { admission, connection } = visit;
  const visitor = { userId: userOf(visit), address: connection.address };
  switch (message.type) {
    case 'chat':
    case 'admin': {
      const written = await deps.chat.write(visitor, lobby.id, lineOf(message));
      return written.ok ? undefined : written.error;
    }
    case 'privateMessage':
      if (admission.role !== 'player') return failure('CHAT_NOT_SENT');
      return whisper(match, admission.participant, visitor, message.payload);
    case 'emote':
      if (admission.role !== 'player') return failure('CHAT_NOT_SENT');
      return showEmote(match, admission.participant, visitor, message.payload.emote);
    case 'requestChatHistory': {
      const latest = await deps.chat.readLatest(lobby.id);
      if (!latest.ok) return latest.error;
      visit.connection.send('chatHistory', { messages: [...latest.value] });
      return undefined;
    }
  }
}

/** A line that begins with '@name' is private, whichever message it came in. */
function meaningOf(message: ChatClientMessage): Result<ChatClientMessage, Failure> {
  if (message.type !== 'chat') return ok(message);
  const line = message.payload.message.trim();
  if (!isPrivateMessage(line)) return ok(message);
  const payload = parsePrivateMessage(line);
  return payload.ok ? ok({ type: 'privateMessage', payload: payload.value }) : payload;
}

function lineOf(message: Extract<ChatClientMessage, { type: 'chat' | 'admin' }>): string {
  if (message.type === 'chat') return message.payload.message;
  const { command, args } = message.payload;
  return `/${command} ${args.join(' ')}`;
}

async function whisper(
  { deps, roster, lobby }: Match,
  sender: Participant,
  visitor: ChatVisitor,
  { to, message }: Extract<ChatClientMessage, { type: 'privateMessage' }>['payload'],
): Promise<Failure | undefined> {
  const text = await deps.chat.whisper(visitor, message);
  if (!text.ok) return text.error;
  const reader = findConnected(roster, to);
  if (!reader) return failure('CHAT_RECIPIENT_NOT_FOUND', { name: to });
  const { seat } = sender;
  const timestamp = deps.clock.nowMs();
  const line = {
    // Private lines are not stored, so they have no id of their own.
    id: String(timestamp),
    sender: seat.name,
    lobbyId: lobby.id,
    user_id: seat.userId,
    message: text.value,
    avatarUrl: seat.avatarUrl,
    timestamp,
    type: 'private',
    to: reader.seat.name,
  } as const;
  for (const { connection } of new Set([reader, sender])) connection?.send('privateMessage', line);
  return undefined;
}

/** Whoever may not write may not do this either. */
async function showEmote(
  { deps, feed }: Match,
  { seat, player }: Participant,
  visitor: ChatVisitor,
  emote: number,
): Promise<Failure | undefined> {
  if (player === undefined) return undefined;
  const allowed = await deps.chat.whisper(visitor, EMOTES[emote]!);
  if (!allowed.ok) return allowed.error;
  feed.announce('emote', { name: seat.name, emote });
  return undefined;
}

async function showAgain({ lobby, deps, feed }: Match): Promise<void> {
  const latest = await deps.chat.readLatest(lobby.id);
  if (!latest.ok) return;
  feed.announce('chatHistory', { messages: [...latest.value] });
  if (latest.value.length === 0) feed.announce('serverMessage', { message: CLEARED });
}

/** The body stays for the grace period and then counts as a forfeit, as if the player had left. */
export function expelUser(
  { roster, logger }: Match,
  userId: UserId,
  visits: readonly Visit[],
  reason: string,
): void {
  for (const participant of entriesOf(roster, userId)) participant.isExpelled = true;
  for (const visit of visits) {
    if (visit.isKicked || userOf(visit) !== userId) continue;
    logger.info({ userId, reason }, 'expelled');
    visit.isKicked = true;
    visit.connection.expel(reason);
  }
}

function explain({ connection }: Visit, refused: Failure): void {
  connection.send('chatError', { error: describeFailure(refused).text });
}
