import { describeFailure, failure } from '@engulf/domain/errors/registry';
import type { LiveUpdate } from '@engulf/protocol/room/server-messages';
import { isSilenced } from '../../../shared/silenced.ts';
import type { ArenaEvent, ArenaEvents } from '../net/events.ts';
import { ARENA_TEXT } from '../text.ts';
import { type NewChatLine, readLine, withHistory, withLine } from './chat-log.ts';
import { type ChatStore, showProblem } from './chat-store.ts';

type Viewer = {
  readonly ownName: string;
  /** The colour of a player's cell; undefined for who was not in sight. */
  colourOf(name: string): number | undefined;
  nowMs(): number;
  /** Asks the room for the chat history. */
  askHistory(): void;
};

/** The room greets twice when a player enters. */
const ASK_EVERY_MS = 5_000;

/** Fills the window from what happens in the room. Returns a function that stops. */
export function followChat(chat: ChatStore, events: ArenaEvents, viewer: Viewer): () => void {
  let askedMs = Number.NEGATIVE_INFINITY;
  const inColour = (line: NewChatLine): NewChatLine => {
    const colour = line.sender && viewer.colourOf(line.sender.name);
    return line.sender && colour !== undefined ? { ...line, sender: { ...line.sender, colour } } : line;
  };
  const add = (line: NewChatLine | undefined) => {
    if (!line || isSilenced(line.sender?.name)) return;
    if (line.sender?.name === viewer.ownName) chat.setState({ isUnderWay: false });
    chat.setState(({ lines }) => ({ lines: withLine(lines, inColour(line)) }));
  };
  return events.subscribe((event) => {
    switch (event.type) {
      case 'welcome':
        // What the old connection has not delivered is lost with it.
        if (chat.getState().isUnderWay)
          showProblem(chat, describeFailure(failure('CHAT_NOT_SENT')).text, 'refused');
        if (viewer.nowMs() - askedMs < ASK_EVERY_MS) return;
        askedMs = viewer.nowMs();
        viewer.askHistory();
        return;
      case 'chatHistory': {
        const heard = event.payload.messages.filter(({ sender }) => !isSilenced(sender));
        chat.setState(({ lines }) => ({ lines: withHistory(lines, heard) }));
        return;
      }
      case 'chatError':
        showProblem(chat, event.payload.error, 'refused');
        return;
      default:
        for (const line of linesOf(event, viewer)) add(line);
    }
  });
}

function linesOf(event: ArenaEvent, viewer: Viewer): (NewChatLine | undefined)[] {
  switch (event.type) {
    case 'chatMessage':
      return [readLine(event.payload)];
    case 'privateMessage': {
      const { id: _id, ...line } = readLine(event.payload);
      return [{ ...line, to: event.payload.to }];
    }
    case 'serverMessage':
      return [{ type: 'server', text: event.payload.message, timestamp: viewer.nowMs() }];
    case 'liveUpdate':
      return event.payload.map((update) => noticeOf(update, viewer.ownName));
    default:
      return [];
  }
}

/** The feed lists every kill; the chat shows only those that concern the reader. */
function noticeOf(update: LiveUpdate, ownName: string): NewChatLine | undefined {
  const { timestamp } = update;
  const { chat, feed } = ARENA_TEXT;
  switch (update.type) {
    case 'join':
      return { type: 'join', text: chat.joined(update.playerName), timestamp };
    case 'disconnect':
      return { type: 'leave', text: chat.left(update.playerName), timestamp };
    case 'kill': {
      const { killerName, victimName } = update;
      if (killerName !== ownName && victimName !== ownName) return undefined;
      return { type: 'kill', text: chat.ate(killerName, victimName), timestamp };
    }
    case 'lobby_closing':
      return { type: 'system', text: feed.closing(update.minutesRemaining), timestamp };
    case 'lobby_closed':
      return { type: 'system', text: feed.closed, timestamp };
    default:
      return undefined;
  }
}
