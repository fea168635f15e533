import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { roomOpenedAt } from '../lobbies/lease.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import type { GathererRow } from '../platform/database/gatherers.ts';
import type { Database } from '../platform/database/open-database.ts';
import {
  call,
  endCall,
  findClaimants,
  findLiars,
  findPayers,
  findSeated,
  findSignedIn,
  isUnderWay,
  lockIn,
  stopWaiting,
  waitOn,
} from './gatherers.ts';
import { GATHERING } from './gathering-rules.ts';

/** Whoever is called while one of these is on could not take the seat. */
const KEEP_PAYERS_OUT = ['paid-entries-paused', 'upgrade-page', 'beta-closed'] as const;

type LockLobby = (tx: Database, id: LobbyId) => Promise<LobbyRow | undefined>;

/**
 * Lets go of those whose menu is closed or who may not play any more, ends calls whose time is over, and calls the others
 * once they are enough. Safe to repeat and to interrupt: everything is in the table.
 */
export async function decideGathering(
  context: Pick<Context, 'db' | 'presence' | 'switches' | 'logger' | 'nowMs'>,
  lobbyId: LobbyId,
  lock: LockLobby,
): Promise<void> {
  const nowMs = context.nowMs();
  // Read before the transaction: on the embedded database it would wait for the transaction's end.
  const inside = (await context.presence.read(lobbyId))?.totalPlayers;
  const switches = await context.switches.read();
  const isPaused = KEEP_PAYERS_OUT.some((name) => switches[name]);
  await context.db.transaction(async (tx) => {
    const lobby = await lock(tx, lobbyId);
    if (!lobby) return;
    const wasOpen = await readOpening(tx, lobbyId, nowMs);
    const isOver = lobby.stage !== 'ready' || !isLobbyOpen(lobby, nowMs);
    const isShut = isOver || isPaused || lobby.nextEntryFee !== null;
    const here = await lockIn(tx, lobbyId);
    const called = await withoutClaimants(
      tx,
      here.filter(({ state }) => state === 'called'),
      nowMs,
    );
    const calledAtMs = called[0]?.calledAt?.getTime();
    const isBroken = calledAtMs !== undefined && (isShut || !wasOpen(calledAtMs));
    if (isBroken) await callOff(tx, called, nowMs);
    else await endCalls(tx, called, { nowMs, hasSeats: inside !== undefined && inside < lobby.maxPlayers });

    const waiting = here.filter(({ state }) => state === 'waiting');
    const unseenMs = wasOpen(nowMs - GATHERING.unseenMs) ? GATHERING.unseenMs : GATHERING.unseenInOutageMs;
    const waitingIds = waiting.map(({ userId }) => userId);
    const signedIn = await findSignedIn(tx, waitingIds, nowMs);
    const isHere = (row: GathererRow, withinMs: number) =>
      signedIn.has(row.userId) && wasSeen(row, nowMs, withinMs);
    const gone = waiting.filter((row) => !isHere(row, unseenMs)).map(({ userId }) => userId);
    await stopWaiting(tx, isOver ? waitingIds : gone);
    const present = waiting.filter((row) => isHere(row, GATHERING.unseenMs));
    const isCalling = called.some((row) => isUnderWay(row, nowMs));
    if (isShut || inside === undefined || isCalling || present.length === 0) return;
    if (present.length + inside < lobby.gatherSize) return;
    const next = present.slice(0, Math.max(1, lobby.maxPlayers - inside));
    await call(tx, next, nowMs);
    context.logger.info({ lobbyId, players: next.length, inside }, 'players who gathered were called');
  });
}

/**
 * Ends the calls of those who said in time that they had paid, once that is decided. Until then they are called, and can
 * gather nowhere else. Returns the others.
 */
async function withoutClaimants(
  tx: Database,
  called: readonly GathererRow[],
  nowMs: number,
): Promise<GathererRow[]> {
  const over = called.filter((row) => !isUnderWay(row, nowMs));
  const claimants = await findClaimants(tx, over);
  const liars = await findLiars(tx, over);
  const areLeft: GathererRow[] = [];
  for (const row of called) {
    if (claimants.has(row.userId)) continue;
    if (liars.has(row.userId)) await endCall(tx, row, false, nowMs);
    else areLeft.push(row);
  }
  return areLeft;
}

/**
 * Whether the server itself has ended somebody's call: the room that it was made for is gone, or nobody has decided about it in
 * time. Then nobody is blamed.
 */
export async function isInterrupted(tx: Database, row: GathererRow, nowMs: number): Promise<boolean> {
  if (!isUnderWay(row, nowMs) && !isTimely(row, nowMs)) return true;
  const wasOpen = await readOpening(tx, row.lobbyId, nowMs);
  return !wasOpen(row.calledAt!.getTime());
}

/** Whether a call that is over has been so for a moment only. Not so if the clock was set back. */
function isTimely({ callEndsAt }: GathererRow, nowMs: number): boolean {
  const lateMs = nowMs - callEndsAt!.getTime();
  return lateMs >= 0 && lateMs <= GATHERING.lateMs;
}

/** Tells whether the room that is open now was open at a time. */
async function readOpening(tx: Database, lobbyId: LobbyId, nowMs: number) {
  const openedMs = (await roomOpenedAt({ db: tx }, lobbyId))?.getTime() ?? Number.NaN;
  // In the future only if the clock was set back.
  return (atMs: number) => openedMs <= atMs || openedMs > nowMs;
}

function wasSeen({ seenAt }: GathererRow, nowMs: number, withinMs: number): boolean {
  const agoMs = nowMs - seenAt.getTime();
  return agoMs < withinMs && agoMs > -GATHERING.clockSkewMs;
}

type CallEnd = { readonly nowMs: number; readonly hasSeats: boolean };

async function endCalls(
  tx: Database,
  called: readonly GathererRow[],
  { nowMs, hasSeats }: CallEnd,
): Promise<void> {
  const over = called.filter((row) => !isUnderWay(row, nowMs));
  const payers = await findPayers(tx, over);
  for (const row of over) {
    const isClear = isTimely(row, nowMs) && hasSeats;
    const hasCome = payers.has(row.userId);
    await endCall(tx, row, hasCome || isClear ? hasCome : 'unknown', nowMs);
  }
}

/** The room died or the lobby was shut under the call. Whoever has no seat yet waits on, at the old place in the line. */
async function callOff(tx: Database, called: readonly GathererRow[], nowMs: number): Promise<void> {
  const payers = await findPayers(tx, called);
  const seated = await findSeated(tx, called);
  for (const row of called) {
    if (payers.has(row.userId)) await endCall(tx, row, true, nowMs);
    else if (seated.has(row.userId)) await endCall(tx, row, 'unknown', nowMs);
    else await waitOn(tx, row);
  }
}
