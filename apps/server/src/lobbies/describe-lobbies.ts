import { formatSeats } from '@engulf/domain/lobby/lobby-type';
import { formatAmount, formatExactAmount } from '@engulf/domain/money/amount';
import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import type { Context } from '../platform/context.ts';
import { type LobbyRow, listLobbies, notionalStake, tokenOf } from './lobby-rows.ts';

/** The menu's list, with what the rooms say of themselves. */
export async function describeLobbies(context: Context): Promise<Lobby[]> {
  return (await listLobbies(context.db)).map((lobby) => describeLobby(context, lobby));
}

function describeLobby({ presence }: Context, lobby: LobbyRow): Lobby {
  const live = presence.live(lobby.id);
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
    isLocked: lobby.isLocked,
    ...(lobby.dailyOpenWindows && { dailyOpenWindows: lobby.dailyOpenWindows }),
    ...(lobby.chainLobbyId === null && { freeLobbyEntryUsd: notionalStake(lobby).toString() }),
    players: formatSeats({ current: currentPlayers, max: lobby.maxPlayers }),
    currentPlayers,
    pool,
    TVL: pool,
    poolAmount: poolAmount.toString(),
    baseApi: null,
    baseGame: null,
    region: lobby.region,
    isActive: live !== undefined,
    lastUpdate: live?.lastUpdateMs ?? 0,
  };
}

/** One for every lobby with a running room. */
export function describeUpdates({ presence }: Context, lobbies: readonly LobbyRow[]): LobbyUpdate[] {
  return lobbies.flatMap((lobby) => {
    const live = presence.live(lobby.id);
    if (!live) return [];
    const { totalPlayers, poolTotal } = live;
    const pool = formatAmount(poolTotal, tokenOf(lobby));
    return [{ lobbyId: lobby.id, totalPlayers, poolTotal: poolTotal.toString(), pool }];
  });
}
