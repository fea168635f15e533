import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { isInterrupted } from '../gathering/decide-gathering.ts';
import {
  beginWaiting,
  countFrom,
  endCall,
  findClaimants,
  findGatherer,
  findPayers,
  isAnyIn,
  isUnderWay,
  stopWaiting,
} from '../gathering/gatherers.ts';
import { GATHERING } from '../gathering/gathering-rules.ts';
import { integrityRefusal, keptApartFrom } from '../integrity/entry-rules.ts';
import { isPaid } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { type JoinRefusal, type JoinRequest, offerRefusal } from './join-lobby.ts';
import { hasEntriesLeft, lockLobby } from './seats.ts';
import { hashAddress } from './unpaid-seats.ts';

type GatherRefusal = JoinRefusal | Failure<'GATHERING_NOT_OFFERED' | 'GATHERING_BARRED' | 'GATHERERS_LIMIT'>;

/** Waits for others in a paid lobby that is nearly empty. One waits in one lobby at a time, the last that was chosen. */
export async function gatherPlayers(
  context: Pick<Context, 'db' | 'presence' | 'keys' | 'switches' | 'nowMs'>,
  user: UserRow,
  request: JoinRequest,
): Promise<Result<undefined, GatherRefusal>> {
  const switches = await context.switches.read();
  const live = await context.presence.read(request.lobbyId);
  const nowMs = context.nowMs();
  return context.db.transaction(async (tx) => {
    const lobby = await lockLobby(tx, request.lobbyId);
    if (!lobby) return err(failure('LOBBY_NOT_FOUND'));
    const known = await findGatherer(tx, user.id);
    const isHere = known?.state === 'waiting' || (known?.state === 'called' && isUnderWay(known, nowMs));
    const isThere = known?.lobbyId === lobby.id && isHere;
    if (isThere) return ok(undefined);
    const refusal = await offerRefusal(context, tx, user, lobby, { ...request, switches });
    if (refusal) return err(refusal);
    if (!isPaid(lobby) || (live?.totalPlayers ?? 0) >= lobby.gatherSize)
      return err(failure('GATHERING_NOT_OFFERED'));
    const barredMs = (known?.barredUntil?.getTime() ?? 0) - nowMs;
    // A longer one is left over from before the clock was set back.
    const isBarred = barredMs > 0 && barredMs <= GATHERING.maxBarredMs;
    if (isBarred || known?.state === 'called')
      return err(failure('GATHERING_BARRED', { secondsLeft: Math.ceil(Math.max(1_000, barredMs) / 1000) }));
    const addressHash = request.client ? hashAddress(context, request.client) : null;
    // A call that cannot be followed would bring the others for nothing.
    const unfair = await integrityRefusal(context, tx, { user, lobbyId: lobby.id, address: addressHash });
    if (unfair) return err(unfair);
    const isApart = await isAnyIn(tx, lobby.id, await keptApartFrom(tx, user.id));
    if (isApart) return err(failure('KEPT_APART'));
    if (!(await hasEntriesLeft(tx, lobby, user.id))) return err(failure('ENTRY_LIMIT_REACHED'));
    const max = GATHERING.maxPerAddress * (request.client?.limitScale ?? 1);
    if (addressHash !== null && (await countFrom(tx, addressHash, user.id)) >= max)
      return err(failure('GATHERERS_LIMIT'));
    await beginWaiting(tx, { userId: user.id, lobbyId: lobby.id, addressHash }, nowMs);
    return ok(undefined);
  });
}

/** Stops waiting. Leaving after the call, without having paid, counts as a call that was missed, if it could be followed. */
export async function leaveGathering(context: Pick<Context, 'db' | 'nowMs'>, user: UserRow): Promise<void> {
  const nowMs = context.nowMs();
  await context.db.transaction(async (tx) => {
    const row = await findGatherer(tx, user.id);
    if (row?.state === 'waiting') await stopWaiting(tx, [user.id]);
    if (row?.state !== 'called') return;
    if ((await findClaimants(tx, [row])).has(user.id)) return;
    const hasCome = (await findPayers(tx, [row])).has(user.id);
    const isUnclear = !hasCome && (await isInterrupted(tx, row, nowMs));
    await endCall(tx, row, isUnclear ? 'unknown' : hasCome, nowMs);
  });
}
