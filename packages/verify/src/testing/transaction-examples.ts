import { join } from 'node:path';

export const TRANSACTIONS_FILE = join(
  import.meta.dirname,
  '../../../../docs/recording-format/transactions.json',
);

/** What docs/recording-format/transactions.json has. Amounts and slots are decimal texts. */
export type TransactionExamples = {
  readonly programId: string;
  readonly lobbies: readonly ExampleLobby[];
  readonly transactions: readonly TransactionExample[];
};

type ExampleLobby = {
  readonly chainLobbyId: string;
  readonly lobby: string;
  /** Null for SOL. */
  readonly mint: string | null;
};

/** A transaction, and everything that a verifier reads from it. */
export type TransactionExample = {
  readonly what: string;
  /** No chain has seen it: the answer of a node was written by hand, about another program. */
  readonly madeUp?: { readonly programId: string };
  readonly signature: string;
  readonly answer: { readonly slot: number };
  readonly joins?: readonly ExampleJoin[];
  readonly claim?: ExampleClaim;
  /** Null for a memo that does not count. */
  readonly anchor?: ExampleAnchor | null;
};

export type InPool = { readonly lobby: string; readonly wallet: string; readonly mint: string | null };

type ExampleJoin = InPool & {
  readonly stake: string;
  /** In hexadecimal. Null if the player signs nothing. */
  readonly inputsKey: string | null;
};

export type ExampleClaim = {
  readonly instruction: 'claim_reward' | 'claim_multiple_rewards' | 'claim_in_order' | 'claim_by_payout_key';
  /** Null for a claim that was not made in order. */
  readonly number: string | null;
  readonly batch: string;
  readonly memo: string;
  readonly payments: readonly (InPool & { readonly amount: string })[];
  readonly matches: readonly { readonly commitment: string; readonly hash: string | null }[];
  /** How the signatures begin. */
  readonly returned: readonly string[];
};

type ExampleAnchor = { readonly signer: string; readonly memo: string; readonly commitment: string } & (
  | {
      readonly kind: 'commit';
      readonly terms: string;
      /** What they are the hash of, beside the lobby. */
      readonly termsOf: { readonly rules: string; readonly receiptKey: string };
      readonly previous: string;
      readonly targetSlot: string;
    }
  | { readonly kind: 'close'; readonly finalHash: string; readonly spill: string }
);

/** Lists of numbers on one line: the answers of nodes are full of them. */
export function transactionsText(examples: TransactionExamples): string {
  const text = JSON.stringify(examples, undefined, 1);
  return `${text.replace(/\[[\d,\s]+\]/g, (list) => list.replace(/\s+/g, '').replaceAll(',', ', '))}\n`;
}
