/** Everything this page keeps in the browser, by what it is; the values are the keys it lies under. */
const KEYS = {
  /** The lobby that was chosen last. */
  lobby: 'lobby',
  /** What the entry under way costs. */
  deposit: 'deposit',
  txSignature: 'txSignature',
  /** The lobby that is being played. */
  lobbyId: 'lobbyId',
  sessionId: 'sessionId',
  paymentSessionId: 'paymentSessionId',
  joinTicket: 'joinTicket',
  audioVolume: 'audio_volume',
  walletName: 'wallet_name',
  burnerSeed: 'burner_seed',
} as const;

export type StoredItem = keyof typeof KEYS;

/** A second tab is another game session, so this one is not shared between tabs. */
const SESSION_ITEMS: readonly StoredItem[] = ['sessionId'];

export type BrowserStorage = {
  read(item: StoredItem): string | undefined;
  write(item: StoredItem, value: string): void;
  remove(...items: readonly StoredItem[]): void;
};

/** A browser may refuse its storage (private windows, policies): then nothing is remembered and all else works. */
export const storage: BrowserStorage = {
  read: (item) => attempt(() => place(item).getItem(KEYS[item]) ?? undefined),
  write: (item, value) => attempt(() => place(item).setItem(KEYS[item], value)),
  remove: (...items) => {
    for (const item of items) attempt(() => place(item).removeItem(KEYS[item]));
  },
};

function place(item: StoredItem) {
  return SESSION_ITEMS.includes(item) ? window.sessionStorage : window.localStorage;
}

function attempt<Value>(access: () => Value): Value | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
