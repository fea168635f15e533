import { ok } from '@engulf/domain/errors/result';
import { entryId, lobbyId, matchId, userId } from '@engulf/domain/ids/entity-ids';
import { baseUnits, USD } from '@engulf/domain/money/amount';
import type { GameLobby, GamePorts } from '@engulf/server/game/ports';
import { numberedKey } from '@engulf/sim/keys';

export const BENCH_LOBBY = 'bench';

/** Ports that let everyone in: any ticket is good for one entry. */
export function openPorts(onLive: () => void): GamePorts {
  const lobby: GameLobby = {
    id: lobbyId(BENCH_LOBBY),
    name: 'Bench',
    lobbyType: 'free',
    isFree: true,
    token: USD,
    entryFee: baseUnits(0n),
    multiplierBasis: baseUnits(1_000_000n),
    maxPlayers: 256,
    botCount: 0,
    isLocked: false,
    dailyOpenWindows: null,
    drainsAtMs: null,
  };
  return {
    listLobbies: async () => [lobby],
    takeLease: async () => true,
    releaseLease: async () => undefined,
    redeemTicket: async (ticket) =>
      ok({
        entryId: entryId(ticket),
        userId: userId(ticket),
        name: ticket.slice(0, 10),
        avatarUrl: null,
        isAdmin: false,
        lobby,
        stake: lobby.multiplierBasis,
        isFree: true,
        isReturn: false,
      }),
    identify: async () => undefined,
    isLobbyCode: async () => false,
    readSpill: async () => 0n,
    recordBountyMoves: () => {},
    settleEntry: async (_lobbyId, _entryId, { amount }) => ({
      amount: baseUnits(amount),
      usdValue: null,
      isNew: true,
    }),
    prepareMatch: async () => ({
      id: matchId(BENCH_LOBBY),
      commitment: numberedKey(0),
      publicPart: null,
      key: numberedKey(1),
    }),
    recordPart: () => {},
    closeMatch: async () => {},
    setLobbyLive: onLive,
  };
}
