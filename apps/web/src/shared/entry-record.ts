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
  read(item: EntryItem): string | undefined;
  write(item: EntryItem, value: string): void;
  remove(...items: readonly EntryItem[]): void;
};

/** Gone once the popup closes, however the payment ended. */
export const PAYMENT_ITEMS: readonly EntryItem[] = ['signature', 'paymentSessionId', 'deposit'];

/** Gone once the player has left the room, whoever closed it. */
export const SEAT_ITEMS: readonly EntryItem[] = ['joinTicket', 'lobbyId', 'sessionId'];

export function createEntryRecord(over: BrowserStorage): EntryRecord {
  return {
    read: (item) => over.read(KEYS[item]),
    write: (item, value) => over.write(KEYS[item], value),
    remove: (...items) => {
      for (const item of items) over.remove(KEYS[item]);
    },
  };
}

export const entryRecord = createEntryRecord(storage);

/** A payment to continue instead of making another. */
export type OpenPayment = {
  readonly sessionId: string;
  readonly lobbyId: string;
  /** Unknown if the payment has not been claimed. */
  readonly paymentSessionId?: string | undefined;
};

/** The payment that this tab was waiting for when it was reloaded. */
export function readOpenPayment(record: EntryRecord): OpenPayment | undefined {
  const [sessionId, lobbyId] = [record.read('sessionId'), record.read('lobbyId')];
  const paymentSessionId = record.read('paymentSessionId');
  const isPaid = paymentSessionId !== undefined || record.read('signature') !== undefined;
  if (sessionId === undefined || lobbyId === undefined || !isPaid) return undefined;
  return { sessionId, lobbyId, paymentSessionId };
}

/** The payments of one wallet, by lobby, that the server may not know of. */
export type UnclaimedPayments = {
  read(lobbyId: string): string | undefined;
  write(lobbyId: string, signature: string): void;
  remove(lobbyId: string): void;
};

/** They outlive the popup and the page, so that nobody is asked to pay twice. */
export function createUnclaimedPayments(over: BrowserStorage, payer: string): UnclaimedPayments {
  const keyOf = (lobbyId: string) => `unclaimedPayment:${payer}:${lobbyId}`;
  return {
    read: (lobbyId) => over.read(keyOf(lobbyId)),
    write: (lobbyId, signature) => over.write(keyOf(lobbyId), signature),
    remove: (lobbyId) => over.remove(keyOf(lobbyId)),
  };
}

export const unclaimedPaymentsOf = (payer: string) => createUnclaimedPayments(storage, payer);
