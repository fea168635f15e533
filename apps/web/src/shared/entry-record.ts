import { type BrowserStorage, storage } from './storage.ts';

/** What the browser keeps about an entry, with the storage keys that the specification names. */
const KEYS = {
  lobbyId: 'lobbyId',
  /** The entry fee as shown to the player. */
  deposit: 'deposit',
  signature: 'txSignature',
  sessionId: 'sessionId',
  paymentSessionId: 'paymentSessionId',
  joinTicket: 'joinTicket',
} as const;

type EntryItem = keyof typeof KEYS;

export type EntryRecord = {
  has(item: EntryItem): boolean;
  write(item: EntryItem, value: string): void;
  remove(...items: readonly EntryItem[]): void;
};

/** Gone once the popup closes, however the payment ended. */
export const PAYMENT_ITEMS: readonly EntryItem[] = ['signature', 'paymentSessionId', 'deposit'];

/** Gone once the player has left the room, whoever closed it. */
export const SEAT_ITEMS: readonly EntryItem[] = ['joinTicket', 'lobbyId', 'sessionId'];

export function createEntryRecord(over: BrowserStorage): EntryRecord {
  return {
    has: (item) => over.read(KEYS[item]) !== undefined,
    write: (item, value) => over.write(KEYS[item], value),
    remove: (...items) => {
      for (const item of items) over.remove(KEYS[item]);
    },
  };
}

export const entryRecord = createEntryRecord(storage);
