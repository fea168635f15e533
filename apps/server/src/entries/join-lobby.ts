import { randomUUID } from 'node:crypto';
import { type Failure, failure, refuse } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { isEligible } from '@engulf/domain/ids/access-code';
import { entryId, type LobbyId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { validateLobbyCode } from '@engulf/domain/lobby/lobby-type';
import { isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { and, eq, sql } from 'drizzle-orm';
import { stopWaiting } from '../gathering/gatherers.ts';
import { type IntegrityRefusal, integrityRefusal } from '../integrity/entry-rules.ts';
import { type OwnLimitRefusal, ownLimitRefusal } from '../limits/own-limit-refusal.ts';
import { isPaid, type LobbyRow, notionalStake } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, IS_LIVE } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../platform/database/sql-state.ts';
import type { SwitchValues } from '../platform/switches.ts';
import {
  createdAnswer,
  type JoinAnswer,
  processingAnswer,
  type SessionConflictFailure,
  sessionConflict,
  ticketAnswer,
} from './entry-answers.ts';
import { openEntry } from './entry-states.ts';
import { hasEntriesLeft, hasSeatForAddress, hasSeatForNewcomer, lockLobby } from './seats.ts';
import { FREE_CLAIM_MS, firstTicket, issueTicket } from './tickets.ts';
import { hashAddress, hashTraits, SEAT_HELD_MS, type SeatClient, unpaidSeatRefusal } from './unpaid-seats.ts';

export type JoinRefusal =
  | Failure<
      | 'LOBBY_NOT_FOUND'
      | 'LOBBY_CLOSED'
      | 'LOBBY_OFFLINE'
      | 'LOBBY_FULL'
      | 'ADDRESS_SEATS_LIMIT'
      | 'ENTRIES_PAUSED'
      | 'INVALID_LOBBY_CODE'
      | 'ENTRY_LIMIT_REACHED'
      | 'USER_NOT_ELIGIBLE'
      | 'UNPAID_SEATS_LIMIT'
      | 'REGION_BLOCKED'
      | 'MAINTENANCE'
      | 'BETA_CLOSED'
    >
  | OwnLimitRefusal
  | IntegrityRefusal
  | SessionConflictFailure;

export type JoinRequest = {
  readonly lobbyId: LobbyId;
  readonly lobbyCode: string | undefined;
  /** Undefined if the call does not come over the network. */
  readonly client?: SeatClient | undefined;
  /** What its browser says about itself, coarsely. */
  readonly traits?: string | undefined;
  /** The country of the caller's address, if known. */
  readonly country?: string | undefined;
};

export type SwitchedRequest = JoinRequest & { readonly switches: SwitchValues };

/** Takes a seat. Asking again for a seat that the user already has (after a reload) gives the same answer. */
export async function joinLobby(
  context: Context,
  user: UserRow,
  request: JoinRequest,
): Promise<Result<JoinAnswer, JoinRefusal>> {
  // Read before the transaction: on the embedded database it would wait for the transaction's end.
  const switched = { ...request, switches: await context.switches.read() };
  try {
    return await takeSeat(context, user, switched);
  } catch (error) {
    // Two calls of one user at the same moment: the second finds the entry of the first.
    if (hasSqlState(error, UNIQUE_VIOLATION)) return takeSeat(context, user, switched);
    throw error;
  }
}

async function takeSeat(
  context: Pick<Context, 'db' | 'presence' | 'keys' | 'logger' | 'traces' | 'nowMs'>,
  user: UserRow,
  request: SwitchedRequest,
): Promise<Result<JoinAnswer, JoinRefusal>> {
  const askedAtMs = context.nowMs();
  return context.db.transaction(async (tx) => {
    const lobby = await lockLobby(tx, request.lobbyId);
    if (!lobby) return refuse('LOBBY_NOT_FOUND');
    const live = await findLiveEntry(tx, user);
    if (live) return resume(context, tx, live, lobby, request);
    const refusal = await refusalOf(context, tx, user, lobby, request);
    if (refusal) return err(refusal);
    const entry = await createEntry(context, tx, user, lobby, request);
    if (isPaid(lobby)) await stopWaiting(tx, [user.id]);
    context.logger.info({ entryId: entry.id, lobbyId: lobby.id, userId: user.id }, 'entry created');
    context.traces?.step(entry.id, 'join lobby', askedAtMs, { lobbyId: lobby.id, userId: user.id });
    return ok(isPaid(lobby) ? createdAnswer(entry) : ticketAnswer(entry, await firstTicket(context, entry)));
  });
}

async function findLiveEntry(tx: Database, user: UserRow): Promise<EntryRow | undefined> {
  const [entry] = await lockingLive(tx).execute({ userId: user.id });
  return entry;
}

const lockingLive = prepareOnce((db) =>
  db
    .select()
    .from(entries)
    .where(and(eq(entries.userId, sql.placeholder('userId')), IS_LIVE))
    .for('update'),
);

async function resume(
  context: Pick<Context, 'presence' | 'keys' | 'traces' | 'nowMs'>,
  tx: Database,
  entry: EntryRow,
  lobby: LobbyRow,
  request: SwitchedRequest,
): Promise<Result<JoinAnswer, JoinRefusal>> {
  const isOver = entry.stateExpiresAt !== null && entry.stateExpiresAt.getTime() <= context.nowMs();
  if (entry.lobbyId !== lobby.id || entry.state === 'playing' || isOver) {
    return err(await sessionConflict(context, entry));
  }
  switch (entry.state) {
    case 'created':
      return request.switches['paid-entries-paused'] ? refuse('ENTRIES_PAUSED') : ok(createdAnswer(entry));
    case 'payment_processing':
      return ok(processingAnswer(entry));
    default:
      return ok(ticketAnswer(entry, await issueTicket(context, tx, entry)));
  }
}

async function refusalOf(
  context: Pick<Context, 'presence' | 'keys' | 'nowMs'>,
  tx: Database,
  user: UserRow,
  lobby: LobbyRow,
  request: SwitchedRequest,
): Promise<JoinRefusal | undefined> {
  const offer = await offerRefusal(context, tx, user, lobby, request);
  if (offer) return offer;
  if (isPaid(lobby)) {
    const refusal = await unpaidSeatRefusal(context, tx, { user, lobby, client: request.client });
    if (refusal) return refusal;
    const address = request.client ? hashAddress(context, request.client) : null;
    const unfair = await integrityRefusal(context, tx, { user, lobbyId: lobby.id, address });
    if (unfair) return unfair;
  } else if (request.client) {
    const { limitScale } = request.client;
    const address = hashAddress(context, request.client);
    if (!(await hasSeatForAddress(tx, lobby, address, limitScale))) return failure('ADDRESS_SEATS_LIMIT');
  }
  if (!(await hasSeatForNewcomer(tx, lobby, user.id, context.nowMs()))) return failure('LOBBY_FULL');
  return (await hasEntriesLeft(tx, lobby, user.id)) ? undefined : failure('ENTRY_LIMIT_REACHED');
}

/** Why the lobby is not open to this user at all, whether there are seats or not. */
export async function offerRefusal(
  context: Pick<Context, 'presence' | 'nowMs'>,
  tx: Database,
  user: UserRow,
  lobby: LobbyRow,
  request: SwitchedRequest,
): Promise<JoinRefusal | undefined> {
  const isEligibleUser = isEligible({
    referralCodeVerified: user.referralCode !== null,
    isRaffleWinner: user.isRaffleWinner,
  });
  if (!isEligibleUser) return failure('USER_NOT_ELIGIBLE');
  const switched = switchedRefusal(lobby, request);
  if (switched) return switched;
  if (!isLobbyOpen(lobby, context.nowMs())) return failure('LOBBY_CLOSED');
  if (!isRightCode(lobby, request.lobbyCode)) return failure('INVALID_LOBBY_CODE');
  if (!(await context.presence.read(lobby.id))) return failure('LOBBY_OFFLINE');
  if (!isPaid(lobby)) return undefined;
  if (lobby.nextEntryFee !== null) return failure('ENTRIES_PAUSED');
  return ownLimitRefusal(context, tx, user.id, lobby);
}

/** What operators have closed. Somebody whose country is unknown is not kept out. */
function switchedRefusal(lobby: LobbyRow, { switches, country }: SwitchedRequest): JoinRefusal | undefined {
  if (switches['upgrade-page']) return failure('MAINTENANCE');
  if (switches['beta-closed']) return failure('BETA_CLOSED');
  if (!isPaid(lobby)) return undefined;
  if (switches['paid-entries-paused']) return failure('ENTRIES_PAUSED');
  const isBlocked = country !== undefined && switches['blocked-countries'].includes(country);
  return isBlocked ? failure('REGION_BLOCKED') : undefined;
}

/** Codes are stored in capitals and compared in any case. */
export function isRightCode(lobby: LobbyRow, code: string | undefined): boolean {
  const wanted = validateLobbyCode(lobby.lobbyType, code);
  return wanted.ok && (wanted.value === undefined || wanted.value.toUpperCase() === lobby.lobbyCode);
}

/** Whether it has the form of a lobby code. Anything else reveals nothing and does not count as a guess. */
export function canBeCode(code: string | undefined): boolean {
  return validateLobbyCode('semi-private', code).ok;
}

function createEntry(
  context: Pick<Context, 'keys' | 'nowMs'>,
  tx: Database,
  user: UserRow,
  lobby: LobbyRow,
  { client, traits }: JoinRequest,
): Promise<EntryRow> {
  const nowMs = context.nowMs();
  return openEntry(tx, {
    id: entryId(randomUUID()),
    userId: user.id,
    lobbyId: lobby.id,
    state: isPaid(lobby) ? 'created' : 'ticketSent',
    paymentSessionId: paymentSessionId(randomUUID()),
    entryFee: lobby.entryFee,
    stake: isPaid(lobby) ? 0n : notionalStake(lobby),
    addressHash: client ? hashAddress(context, client) : null,
    traitsHash: traits === undefined ? null : hashTraits(context, traits),
    createdAt: new Date(nowMs),
    stateExpiresAt: new Date(nowMs + (isPaid(lobby) ? SEAT_HELD_MS : FREE_CLAIM_MS)),
    ...(!isPaid(lobby) && { ticketId: randomUUID() }),
  });
}
