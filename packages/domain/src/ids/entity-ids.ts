import { MAX_U64 } from '../money/u64.ts';

declare const brandName: unique symbol;

/** A value of type `Base` that only its own constructor creates. Costs nothing at run time. */
export type Brand<Base, Name extends string> = Base & { readonly [brandName]: Name };

/** Ids of our own database rows. */
export type UserId = Brand<string, 'UserId'>;
export type LobbyId = Brand<string, 'LobbyId'>;
export type EntryId = Brand<string, 'EntryId'>;
export type SignInSessionId = Brand<string, 'SignInSessionId'>;
export type PaymentSessionId = Brand<string, 'PaymentSessionId'>;
export type MatchId = Brand<string, 'MatchId'>;

/** The lobby's number in the on-chain program, a u64. */
export type ChainLobbyId = Brand<bigint, 'ChainLobbyId'>;
/** Base58 of a 32-byte public key. */
export type WalletAddress = Brand<string, 'WalletAddress'>;
/** Base58 of a 64-byte transaction signature. */
export type TransactionSignature = Brand<string, 'TransactionSignature'>;

export const userId = (text: string) => rowId<UserId>(text, 'user id');
export const lobbyId = (text: string) => rowId<LobbyId>(text, 'lobby id');
export const entryId = (text: string) => rowId<EntryId>(text, 'entry id');
export const signInSessionId = (text: string) => rowId<SignInSessionId>(text, 'sign-in session id');
export const paymentSessionId = (text: string) => rowId<PaymentSessionId>(text, 'payment session id');
export const matchId = (text: string) => rowId<MatchId>(text, 'match id');

export function chainLobbyId(value: bigint): ChainLobbyId {
  if (value < 0n || value > MAX_U64) throw new RangeError(`a chain lobby id is a u64, got ${value}`);
  return value as ChainLobbyId;
}

export function walletAddress(text: string): WalletAddress {
  if (!isWalletAddress(text)) throw new RangeError(`not a wallet address: ${JSON.stringify(text)}`);
  return text;
}

export function isWalletAddress(text: string): text is WalletAddress {
  // Length first: decoding is quadratic and the text may come from anyone.
  return text.length >= 32 && text.length <= 44 && base58ByteLength(text) === 32;
}

export function transactionSignature(text: string): TransactionSignature {
  if (!isTransactionSignature(text)) {
    throw new RangeError(`not a transaction signature: ${JSON.stringify(text)}`);
  }
  return text;
}

export function isTransactionSignature(text: string): text is TransactionSignature {
  return text.length >= 64 && text.length <= 88 && base58ByteLength(text) === 64;
}

function rowId<Id extends Brand<string, string>>(text: string, what: string): Id {
  if (text.trim() === '') throw new RangeError(`a ${what} must not be blank`);
  return text as Id;
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** How many bytes the text encodes, or undefined when it is not base58. */
function base58ByteLength(text: string): number | undefined {
  let leadingZeroBytes = 0;
  while (text[leadingZeroBytes] === '1') leadingZeroBytes++;
  let value = 0n;
  for (const character of text.slice(leadingZeroBytes)) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const valueBytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return leadingZeroBytes + valueBytes;
}
