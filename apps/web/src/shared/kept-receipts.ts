import type { RoomClientPayload } from '@engulf/protocol/room/client-messages';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { type BrowserStorage, storage } from './storage.ts';

/* What the browser was promised in matches that it was in, so that Verify can hold it against the server later. */

export type KeptReceipt = RoomServerPayload<'receipt'>;
/** What the page has signed about the inputs of its player. */
export type KeptStatement = RoomClientPayload<'confirmInputs'> & {
  readonly player: number;
  /** Of what the player did. */
  readonly rowsHash: string;
};
type KeptMatch = {
  readonly matchId: string;
  readonly commitment: string;
  readonly receipts: readonly KeptReceipt[];
  readonly statements?: readonly KeptStatement[];
};

const KEY = 'receipts';
/** Of the last five minutes, about 5 KB. */
const MAX_STATEMENTS = 10;
/** About 15 KB, without statements. The oldest go first. */
const MAX_MATCHES = 20;

/** A visit begins. */
export function keepMatch(matchId: string, commitment: string, at: BrowserStorage = storage): void {
  const kept = readAll(at);
  // The first commitment that was shown counts.
  if (!kept.some((match) => match.matchId === matchId))
    write([...kept, { matchId, commitment, receipts: [] }], at);
}

/** The first and the latest of each match are kept. */
export function keepReceipt(matchId: string, receipt: KeptReceipt, at: BrowserStorage = storage): void {
  write(
    readAll(at).map((match) => {
      if (match.matchId !== matchId) return match;
      const [first] = match.receipts;
      return { ...match, receipts: first ? [first, receipt] : [receipt] };
    }),
    at,
  );
}

/** The latest of each match are kept. */
export function keepStatement(matchId: string, statement: KeptStatement, at: BrowserStorage = storage): void {
  write(
    readAll(at).map((match) => {
      if (match.matchId !== matchId) return match;
      return { ...match, statements: [...(match.statements ?? []), statement].slice(-MAX_STATEMENTS) };
    }),
    at,
  );
}

export function readKept(matchId: string, at: BrowserStorage = storage): KeptMatch | undefined {
  return readAll(at).find((match) => match.matchId === matchId);
}

function write(kept: readonly KeptMatch[], at: BrowserStorage): void {
  at.write(KEY, JSON.stringify(kept.slice(-MAX_MATCHES)));
}

/** Others may have written there: what is no list is forgotten, and Verify checks the rest. */
function readAll(at: BrowserStorage): readonly KeptMatch[] {
  try {
    const kept: unknown = JSON.parse(at.read(KEY) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is KeptMatch {
  const { matchId, receipts } = (value ?? {}) as Partial<KeptMatch>;
  return typeof matchId === 'string' && Array.isArray(receipts);
}
