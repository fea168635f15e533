import { isTransactionSignature, isWalletAddress } from '@engulf/domain/ids/entity-ids';
import { z } from 'zod';

/*
 * Money: a field that the specification names holds base units as a decimal text, so that nothing is rounded
 * on the way. What people read stands beside it, made by the domain's money functions. `reward`, `fee`,
 * `pool` and `TVL` are such texts for people.
 */

const MAX_U64 = 2n ** 64n - 1n;

/** Base units of a token, or micro-dollars: '50000000'. */
export const baseUnitsSchema = z.string().refine(isU64Text, 'not a whole number that a u64 holds');

/** The id of one of our own rows: opaque, short and not blank. */
export const rowIdSchema = z.string().regex(/^[\w-]{1,64}$/);

/** 32 bytes in hexadecimal digits: a hash, a commitment or a secret. */
export const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);

export const walletAddressSchema = z.string().refine(isWalletAddress, 'not a wallet address');
export const transactionSignatureSchema = z
  .string()
  .refine(isTransactionSignature, 'not a transaction signature');

/** Milliseconds since the epoch. */
export const timestampMsSchema = z.int().nonnegative();
export const isoTimeSchema = z.iso.datetime();

export const countSchema = z.int().nonnegative();
/** A rank in a list, starting at 1. */
export const rankSchema = z.int().positive();

export const JOIN_TICKET_MAX_LENGTH = 2_048;
/** A signed, single-use pass into a room. Opaque to everyone but the server. */
export const joinTicketSchema = z.string().min(1).max(JOIN_TICKET_MAX_LENGTH);

function isU64Text(text: string): boolean {
  return /^(?:0|[1-9]\d{0,19})$/.test(text) && BigInt(text) <= MAX_U64;
}
