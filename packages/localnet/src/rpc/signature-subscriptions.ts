import type { Journal } from '../journal/journal.ts';
import { type Commitment, commitmentOf, type Finality, readCurrentSlot } from '../node/finality.ts';
import type { Surfpool } from '../node/surfpool.ts';
import { errorOf } from './journal-answers.ts';

export type SignatureSubscriptions = {
  subscribe(params: readonly unknown[], notify: (message: object) => void): number;
  unsubscribe(id: number): boolean;
  close(): void;
};

type Subscription = {
  readonly signature: string;
  readonly commitment: Commitment;
  readonly notify: (message: object) => void;
};

/** Far above the ids Surfpool uses for other subscriptions on the same socket. */
const FIRST_ID = 2 ** 48;

/** `signatureSubscribe` from the journal: it also fires for transactions from before a restart. */
export function createSignatureSubscriptions(deps: {
  surfpool: Surfpool;
  journal: Journal;
  finality: Finality;
  pollMs: number;
}): SignatureSubscriptions {
  const { surfpool, journal, finality, pollMs } = deps;
  const pending = new Map<number, Subscription>();
  let nextId = FIRST_ID;
  let timer: NodeJS.Timeout | undefined;

  const poll = async (): Promise<void> => {
    const slot = await readCurrentSlot(surfpool);
    for (const [id, { signature, commitment, notify }] of pending) {
      const transaction = journal.find(signature);
      if (!transaction || transaction.slot > finality.newestSlotAt(commitment, slot)) continue;
      pending.delete(id);
      const result = { context: { slot }, value: { err: errorOf(transaction) } };
      notify({ jsonrpc: '2.0', method: 'signatureNotification', params: { result, subscription: id } });
    }
  };
  const pollWhileNeeded = (): void => {
    if (timer || pending.size === 0) return;
    timer = setTimeout(() => {
      poll()
        .catch(() => {}) // the next poll makes up for it
        .finally(() => {
          timer = undefined;
          pollWhileNeeded();
        });
    }, pollMs);
  };

  return {
    subscribe: ([signature, config], notify) => {
      const id = nextId++;
      pending.set(id, { signature: String(signature), commitment: commitmentOf(config), notify });
      pollWhileNeeded();
      return id;
    },
    unsubscribe: (id) => pending.delete(id),
    close: () => {
      pending.clear();
      clearTimeout(timer);
    },
  };
}
