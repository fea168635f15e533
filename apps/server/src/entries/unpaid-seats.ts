import { createHmac } from 'node:crypto';
import { type Failure, failure } from '@engulf/domain/errors/registry';
import { and, desc, eq, gt, notExists, type SQL, sql } from 'drizzle-orm';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import {
  type EntryRow,
  entries,
  GIVEN_UP_STATES,
  isIn,
  payments,
  WAITING_STATES,
} from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';

/*
 * Holding a seat in a paid lobby costs nothing until it is paid for. These limits keep someone with many wallets from
 * blocking a lobby: few unpaid seats at a time, and a wait that doubles with every seat left unpaid.
 */

/** How long an unpaid seat can still be paid for. */
export const SEAT_HELD_MS = 120_000;

/** Where the call comes from. */
export type SeatClient = {
  readonly address: string;
  /** Above 1 where many clients share an address, as tests do. */
  readonly limitScale: number;
};

const MAX_HELD_PER_ADDRESS = 4;
/** In a small lobby, one address may hold at most this share of the seats. */
const MAX_HELD_PART = 0.4;

/** Seats left unpaid within this time are counted. */
const REMEMBERED_MS = 60 * 60_000;
const FIRST_WAIT_MS = 15_000;
type WaitRule = { readonly free: number; readonly maxMs: number };
const WALLET_RULE: WaitRule = { free: 1, maxMs: 30 * 60_000 };
/** Many honest players may share an address, so its limits are looser. */
const ADDRESS_RULE: WaitRule = { free: 4, maxMs: 5 * 60_000 };

type SeatRequest = {
  readonly user: UserRow;
  readonly lobby: LobbyRow;
  readonly client: SeatClient | undefined;
};

/** Why this user may not hold another unpaid seat now. */
export async function unpaidSeatRefusal(
  context: Pick<Context, 'keys' | 'nowMs'>,
  tx: Database,
  { user, lobby, client }: SeatRequest,
): Promise<Failure<'UNPAID_SEATS_LIMIT'> | undefined> {
  const nowMs = context.nowMs();
  const waits = [waitMs(await leftUnpaid(tx, eq(entries.userId, user.id), nowMs), WALLET_RULE, nowMs)];
  if (client) {
    const isFromThere = eq(entries.addressHash, hashAddress(context, client));
    const { limitScale } = client;
    waits.push(await heldWaitMs(tx, isFromThere, lobby, limitScale, nowMs));
    const rule = { ...ADDRESS_RULE, free: ADDRESS_RULE.free * limitScale };
    waits.push(waitMs(await leftUnpaid(tx, isFromThere, nowMs), rule, nowMs));
  }
  const longestMs = Math.max(...waits);
  return longestMs > 0
    ? failure('UNPAID_SEATS_LIMIT', { secondsLeft: Math.ceil(longestMs / 1000) })
    : undefined;
}

/** Keyed, because a plain hash of an address is easily reversed. */
export function hashAddress({ keys }: Pick<Context, 'keys'>, { address }: SeatClient): string {
  return createHmac('sha256', keys.addresses).update(address).digest('base64url');
}

/** There are few enough of them to try them all, so these are keyed as well. */
export function hashTraits({ keys }: Pick<Context, 'keys'>, traits: string): string {
  return createHmac('sha256', keys.traits).update(traits).digest('base64url');
}

/** How long until the address may hold one more seat. */
async function heldWaitMs(
  tx: Database,
  isFromThere: SQL,
  lobby: LobbyRow,
  scale: number,
  nowMs: number,
): Promise<number> {
  const held = await tx
    .select()
    .from(entries)
    .where(and(isFromThere, isIn(WAITING_STATES)))
    .orderBy(desc(entries.createdAt));
  const inLobby = held.filter(({ lobbyId }) => lobbyId === lobby.id);
  const maxInLobby = Math.max(1, Math.floor(lobby.maxPlayers * MAX_HELD_PART));
  const isTooMany = held.length >= MAX_HELD_PER_ADDRESS * scale || inLobby.length >= maxInLobby * scale;
  if (!isTooMany) return 0;
  const oldest = held.at(-1)!;
  return Math.max(1, oldest.createdAt.getTime() + SEAT_HELD_MS - nowMs);
}

/** Entries that ended without a payment, newest first. */
function leftUnpaid(tx: Database, whose: SQL, nowMs: number): Promise<EntryRow[]> {
  const isPaidFor = tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.entryId, entries.id), sql`${payments.status} = 'verified'`));
  return tx
    .select()
    .from(entries)
    .where(
      and(
        whose,
        gt(entries.createdAt, new Date(nowMs - REMEMBERED_MS)),
        isIn(GIVEN_UP_STATES),
        // A free seat has a notional stake.
        eq(entries.stake, 0n),
        notExists(isPaidFor),
      ),
    )
    .orderBy(desc(entries.createdAt));
}

function waitMs(unpaid: readonly EntryRow[], { free, maxMs }: WaitRule, nowMs: number): number {
  if (unpaid.length <= free) return 0;
  const lengthMs = Math.min(maxMs, FIRST_WAIT_MS * 2 ** (unpaid.length - free - 1));
  return Math.max(0, ...unpaid.map((entry) => releasedAtMs(entry) + lengthMs - nowMs));
}

/** When the wait begins: for a seat that was given up, when it was taken; otherwise when its hold ended. */
function releasedAtMs({ state, createdAt }: EntryRow): number {
  return createdAt.getTime() + (state === 'payment_failed' ? 0 : SEAT_HELD_MS);
}
