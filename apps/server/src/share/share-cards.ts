import { createHash, randomBytes } from 'node:crypto';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { and, desc, eq, sql } from 'drizzle-orm';
import { readAvatarFile } from '../accounts/avatars.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, lobbies } from '../platform/database/games.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { type ShareCardRow, shareCards } from '../platform/database/share.ts';
import { type CashedOut, cardFacts } from './card-facts.ts';
import { renderCard } from './render-card.ts';

export const CARDS_PATH = '/share-cards';
const FILE_NAME = /^[0-9a-f]{64}\.png$/;
const KEY = /^[\w-]{16}$/;

type ShareRefusal = Failure<'SHARE_ENTRY_NOT_FOUND' | 'SHARE_NOT_CASHED_OUT' | 'RATE_LIMITED'>;

/** The card of a cash-out, drawn the first time it is asked for. Without an entry's id, the latest cash-out is meant. */
export async function shareEntry(
  context: Pick<Context, 'db' | 'storage' | 'nowMs'>,
  user: UserRow,
  entryId: string | undefined,
): Promise<Result<ShareCardRow, ShareRefusal>> {
  const entry = await findEntry(context, user, entryId);
  if (!entry) return refuse('SHARE_ENTRY_NOT_FOUND');
  if (!isCashedOut(entry)) return refuse('SHARE_NOT_CASHED_OUT');
  const known = await findCardOf(context, entry);
  if (known) return ok(known);
  const drawn = await drawCard(context, user, entry);
  return drawn ? ok(drawn) : refuse('RATE_LIMITED');
}

async function findEntry(
  { db }: Pick<Context, 'db'>,
  user: UserRow,
  entryId: string | undefined,
): Promise<EntryRow | undefined> {
  const isWanted =
    entryId === undefined
      ? and(eq(entries.state, 'ended'), eq(entries.outcome, 'cashout'))
      : sql`${entries.id}::text = ${entryId}`;
  const [entry] = await db
    .select()
    .from(entries)
    .where(and(eq(entries.userId, user.id), isWanted))
    .orderBy(desc(entries.createdAt))
    .limit(1);
  return entry;
}

function isCashedOut(entry: EntryRow): entry is CashedOut['entry'] {
  return entry.state === 'ended' && entry.outcome === 'cashout' && entry.payoutAmount !== null;
}

async function findCardOf({ db }: Pick<Context, 'db'>, { id }: EntryRow): Promise<ShareCardRow | undefined> {
  const [card] = await db.select().from(shareCards).where(eq(shareCards.entryId, id));
  return card;
}

/** Undefined while too many others are being drawn. */
async function drawCard(
  context: Pick<Context, 'db' | 'storage' | 'nowMs'>,
  user: UserRow,
  entry: CashedOut['entry'],
): Promise<ShareCardRow | undefined> {
  const { db, storage } = context;
  const [lobby] = await db.select().from(lobbies).where(eq(lobbies.id, entry.lobbyId));
  const facts = cardFacts({ entry, lobby: lobby!, playerName: user.name, colour: user.colour });
  const picture = await renderCard(facts, await readAvatarFile(context, user));
  if (!picture) return undefined;
  const storageKey = `cards/${createHash('sha256').update(picture).digest('hex')}.png`;
  await storage.put(storageKey, picture, 'image/png');
  await db
    .insert(shareCards)
    .values({
      key: randomBytes(12).toString('base64url'),
      entryId: entry.id,
      userId: user.id,
      storageKey,
      createdAt: new Date(context.nowMs()),
    })
    .onConflictDoNothing();
  // Of two calls at the same moment, the first one named the card.
  return (await findCardOf(context, entry))!;
}

/** Undefined for a key that no card has. */
export async function findSharedGame(
  { db }: Pick<Context, 'db'>,
  key: string,
): Promise<{ readonly card: ShareCardRow; readonly game: CashedOut } | undefined> {
  if (!KEY.test(key)) return undefined;
  const [found] = await db
    .select({
      card: shareCards,
      entry: entries,
      lobby: lobbies,
      playerName: users.name,
      colour: users.colour,
    })
    .from(shareCards)
    .innerJoin(entries, eq(entries.id, shareCards.entryId))
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .innerJoin(users, eq(users.id, shareCards.userId))
    .where(eq(shareCards.key, key));
  if (!found) return undefined;
  const { card, entry, lobby, playerName, colour } = found;
  return isCashedOut(entry) ? { card, game: { entry, lobby, playerName, colour } } : undefined;
}

export function pictureAddress({ storageKey }: ShareCardRow): string {
  return storageKey.replace(/^cards/, CARDS_PATH);
}

export async function readPicture(
  { storage }: Pick<Context, 'storage'>,
  name: string,
): Promise<Uint8Array | undefined> {
  return FILE_NAME.test(name) ? storage.get(`cards/${name}`) : undefined;
}
