import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { formatSeats } from '@engulf/domain/lobby/lobby-type';
import { isLockedAt } from '@engulf/domain/lobby/opening-hours';
import { formatAmount, formatExactAmount } from '@engulf/domain/money/amount';
import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import type { Context } from '../platform/context.ts';
import type { LiveRoom } from '../platform/fleet/presence.ts';
import type { RoomPlace } from './lease.ts';
import { type LobbyRow, notionalStake, tokenOf } from './lobby-rows.ts';

type Places = ReadonlyMap<LobbyId, RoomPlace>;

/** The menu's list of lobbies with their live figures. */
export async function describeLobbies(
  { presence, nowMs }: Pick<Context, 'presence' | 'nowMs'>,
  lobbies: readonly LobbyRow[],
  places: Places,
): Promise<Lobby[]> {
  return Promise.all(
    lobbies.map(async (lobby) => ({
      ...describeLobby(lobby, await presence.read(lobby.id), nowMs()),
      baseGame: places.get(lobby.id)?.address ?? null,
      // Where it is played now: a lobby may be at home anywhere, or away because its region has no process.
      region: places.get(lobby.id)?.region ?? lobby.region,
    })),
  );
}

/** One update for every lobby with a running room. */
export async function describeUpdates(
  { presence }: Pick<Context, 'presence'>,
  lobbies: readonly LobbyRow[],
  places: Places,
): Promise<LobbyUpdate[]> {
  const updates = await Promise.all(
    lobbies.map(async (lobby) => {
      const room = await presence.read(lobby.id);
      if (!room) return undefined;
      const { totalPlayers, totalBots, poolTotal, sketch } = room;
      const pool = formatAmount(poolTotal, tokenOf(lobby));
      return {
        lobbyId: lobby.id,
        totalPlayers,
        totalBots,
        poolTotal: poolTotal.toString(),
        pool,
        baseGame: places.get(lobby.id)?.address ?? null,
        ...(sketch && { sketch: [...sketch] }),
      };
    }),
  );
  return updates.filter((update) => update !== undefined);
}

function describeLobby(
  lobby: LobbyRow,
  live: LiveRoom | undefined,
  nowMs: number,
): Omit<Lobby, 'baseGame' | 'region'> {
  const token = tokenOf(lobby);
  const currentPlayers = live?.totalPlayers ?? 0;
  const poolAmount = live?.poolTotal ?? 0n;
  const pool = formatAmount(poolAmount, token);
  return {
    id: lobby.id,
    lobbyId: lobby.chainLobbyId === null ? null : Number(lobby.chainLobbyId),
    name: lobby.name,
    lobbyType: lobby.lobbyType,
    fee: formatExactAmount(lobby.entryFee, token),
    entryFee: lobby.entryFee.toString(),
    tokenSymbol: lobby.tokenSymbol,
    tokenDecimals: lobby.tokenDecimals,
    tokenMint: lobby.tokenMint,
    isLocked: isLockedAt(lobby, nowMs),
    ...(lobby.dailyOpenWindows && { dailyOpenWindows: lobby.dailyOpenWindows }),
    ...(lobby.chainLobbyId === null && { freeLobbyEntryUsd: notionalStake(lobby).toString() }),
    players: formatSeats({ current: currentPlayers, max: lobby.maxPlayers }),
    currentPlayers,
    currentBots: live?.totalBots ?? 0,
    pool,
    TVL: pool,
    poolAmount: poolAmount.toString(),
    baseApi: null,
    gatherSize: lobby.gatherSize,
    isActive: live !== undefined,
    lastUpdate: live?.lastUpdateMs ?? 0,
  };
}
