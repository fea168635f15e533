import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ChatLine } from './chat-log.ts';

export type ChatState = {
  readonly lines: readonly ChatLine[];
  /** Why something was not sent; a new object each time. */
  readonly problem: ChatProblem | undefined;
  /** A message was sent that the room has neither echoed nor refused yet. */
  readonly isUnderWay: boolean;
};

type ChatProblem = { readonly text: string; readonly shownMs: number };

const SHOWN_MS = { refused: 5_000, format: 3_000 } as const;

export type ChatStore = StoreApi<ChatState>;

export function createChatStore(): ChatStore {
  return createStore<ChatState>(() => ({ lines: [], problem: undefined, isUnderWay: false }));
}

/** `format`: it was not sent at all. */
export function showProblem(chat: ChatStore, text: string, kind: keyof typeof SHOWN_MS): void {
  chat.setState({ problem: { text, shownMs: SHOWN_MS[kind] }, isUnderWay: false });
}
