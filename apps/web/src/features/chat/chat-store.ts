import { CHAT_LIMITS } from '@engulf/domain/chat/chat-text';
import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { type ChatMessage, GLOBAL_CHANNEL, readChatHistory } from '@engulf/protocol/chat';
import { create } from 'zustand';
import { callApi } from '../../shared/api/call-api.ts';
import {
  type ChatMessages,
  firstPage,
  olderPageNumber,
  withMessages,
  withNewestPage,
  withOlderPage,
} from './chat-messages.ts';

/** `closed`: an operator has switched the chat off. */
type ChatStatus = 'loading' | 'ready' | 'failed' | 'closed';

type ChatState = {
  readonly status: ChatStatus;
  readonly messages: ChatMessages;
  readonly isLive: boolean;
  readonly isLoadingOlder: boolean;
  /** Older messages did not come; the reader may ask again by scrolling. */
  readonly hasOlderFailed: boolean;
  /** Why the last message was not sent; a new object each time. */
  readonly error: { readonly reason: string } | undefined;
};

const NOTHING: ChatMessages = { list: [], hasOlder: false };
/** The server sends what it has gathered in one go; the list is drawn once for all of it. */
const GATHER_MS = 50;
/** Everybody is asked to load again at the same moment. */
const MAX_RELOAD_DELAY_MS = 1_500;

export const useChatStore = create<ChatState>()(() => ({
  status: 'loading',
  messages: NOTHING,
  isLive: false,
  isLoadingOlder: false,
  hasOlderFailed: false,
  error: undefined,
}));

const { getState, setState } = useChatStore;

let isReaderAtEnd = true;
let arrived: ChatMessage[] = [];
/** What there was when the connection broke, until the newest page is here; messages in between may be missing. */
let before: ChatMessages | undefined;

/** The author of a message that the server has neither echoed nor refused yet. */
let awaitedFrom: string | undefined;

/** What the socket and the panel tell the store. */
export const chatInput = {
  connected: () => {
    before ??= getState().messages;
    setState({ isLive: true });
    void loadNewest(withNewestPage);
  },
  disconnected: () => {
    setState({ isLive: false });
    // What the connection has not delivered is lost with it.
    if (awaitedFrom !== undefined) chatInput.refused(describeFailure(failure('CHAT_NOT_SENT')).text);
  },
  sent: (userId: string) => {
    awaitedFrom = userId;
  },
  received: (message: ChatMessage) => {
    if (message.lobbyId !== GLOBAL_CHANNEL) return;
    if (message.user_id === awaitedFrom) awaitedFrom = undefined;
    if (arrived.length === 0) setTimeout(showArrived, GATHER_MS);
    arrived.push(message);
  },
  /** Messages were removed. */
  outdated: () => {
    setTimeout(() => void loadNewest((_known, page) => firstPage(page)), Math.random() * MAX_RELOAD_DELAY_MS);
  },
  refused: (reason: string) => {
    awaitedFrom = undefined;
    setState({ error: { reason } });
  },
  errorSeen: () => setState({ error: undefined }),
  readerAtEnd: (isAtEnd: boolean) => {
    isReaderAtEnd = isAtEnd;
  },
  retry: () => void loadNewest(withNewestPage),
  loadOlder,
};

function showArrived(): void {
  const messages = withMessages(getState().messages, arrived, isReaderAtEnd);
  arrived = [];
  setState({ messages });
}

async function loadNewest(join: typeof withNewestPage): Promise<void> {
  const page = await readPage(1);
  if (page.ok) {
    const joined = before;
    before = undefined;
    setState(({ messages }) => ({
      status: 'ready',
      messages: join(messages, page.value, joined ?? messages),
    }));
  } else if (page.error.code === 'CHAT_CLOSED') {
    setState({ status: 'closed', messages: NOTHING });
  } else if (getState().status !== 'ready') {
    setState({ status: 'failed' });
  }
}

async function loadOlder(): Promise<void> {
  const { messages, isLoadingOlder, status } = getState();
  if (isLoadingOlder || !messages.hasOlder || status !== 'ready') return;
  setState({ isLoadingOlder: true });
  const page = await readPage(olderPageNumber(messages));
  setState((state) => ({
    isLoadingOlder: false,
    hasOlderFailed: !page.ok,
    messages: page.ok ? withOlderPage(state.messages, page.value) : state.messages,
  }));
}

const readPage = (page: number) =>
  callApi(readChatHistory, {
    params: { lobbyId: GLOBAL_CHANNEL },
    query: { page, perPage: CHAT_LIMITS.historyPageSize },
  });
