import { RECEIPT_MESSAGE } from '@engulf/protocol/room/receipt-message';
import type { PlayerId } from '@engulf/sim/players';
import type { InputStatement } from '@engulf/sim/recording/input-statement';
import { z } from 'zod';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** What a visitor of a match kept of it: the commitment of the welcome, receipts, and what it signed itself. */
export const keptMatchSchema = z.object({
  matchId: z.string().max(64),
  commitment: hash,
  /** The first and the latest are enough. */
  receipts: z.array(RECEIPT_MESSAGE.payload).max(1_000),
  /** The latest; the hash is of what the player says that it did. */
  statements: z
    .array(
      z.object({
        player: z.int().nonnegative(),
        from: z.int().nonnegative(),
        to: z.int().nonnegative(),
        seen: z.string().regex(/^([0-9a-f]{2}){1,125}$/),
        delayTicks: z.int().nonnegative(),
        rowsHash: hash,
        signature: z.string().regex(/^[0-9a-f]{128}$/),
      }),
    )
    .max(1_000)
    .optional(),
  /** Whose signatures they are, if it is known without the recording. */
  receiptKey: hash.optional(),
});

export type KeptMatch = z.infer<typeof keptMatchSchema>;
export type KeptReceipt = KeptMatch['receipts'][number];

type KeptClaim = { readonly statement: InputStatement; readonly rowsHash: Uint8Array };

const read = new WeakMap<KeptMatch, readonly KeptClaim[]>();

/** The same objects each time. */
export function keptClaims(kept: KeptMatch): readonly KeptClaim[] {
  const known = read.get(kept);
  if (known) return known;
  const claims = (kept.statements ?? []).map(({ rowsHash, player, seen, signature, ...numbers }) => ({
    statement: { ...numbers, player: player as PlayerId, seen: fromHex(seen), signature: fromHex(signature) },
    rowsHash: fromHex(rowsHash),
  }));
  read.set(kept, claims);
  return claims;
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}
