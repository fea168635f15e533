import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import { entryId, type LobbyId, lobbyId, matchId, userId } from '@engulf/domain/ids/entity-ids';
import { baseUnits, USD } from '@engulf/domain/money/amount';
import type { GameLobby, GamePorts } from '@engulf/server/game/ports';
import { numberedKey } from '@engulf/sim/keys';
import { NO_BOND } from '@engulf/sim/recording/header';

export function benchLobby(room: number): LobbyId {
  return lobbyId(`bench-${room}`);
}

/** Ports that let everyone in: any ticket is good for one entry. */
export function openPorts(rooms: number, maxPlayers: number, onLive: () => void): GamePorts {
  const lobbies = Array.from({ length: rooms }, (_, room) => openLobby(room, maxPlayers));
  const byId = new Map(lobbies.map((lobby) => [lobby.id, lobby]));
  return {
    listLobbies: async () => lobbies,
    takeLease: async () => true,
    releaseLease: async () => undefined,
    findBanned: async () => [],
    startLeaving: async () => false,
    handOver: async () => undefined,
    takeOver: async () => ({ matches: [], isNearby: false }),
    abandonMatch: async () => undefined,
    redeemTicket: async (ticket, lobbyId) => {
      const lobby = byId.get(lobbyId)!;
      return ok({
        entryId: entryId(ticket),
        userId: userId(ticket),
        name: ticket.slice(0, 10),
        avatarUrl: null,
        isAdmin: false,
        lobby,
        stake: lobby.multiplierBasis,
        isFree: true,
        isReturn: false,
        isNewcomer: false,
      });
    },
    identify: async () => undefined,
    checkLobbyCode: async () => refuse('INVALID_LOBBY_CODE'),
    readSpill: async () => 0n,
    recordBountyMoves: () => {},
    settleEntry: async (_lobbyId, _entryId, { amount }) => ({
      amount: baseUnits(amount),
      usdValue: null,
      isNew: true,
    }),
    prepareMatch: async ({ id }) => ({
      id: matchId(id),
      commitment: numberedKey(0),
      publicPart: null,
      bond: NO_BOND,
      secret: numberedKey(1),
    }),
    readNewestSlot: async () => undefined,
    findBeacon: async () => undefined,
    recordPart: async () => undefined,
    closeMatch: async () => {},
    setLobbyLive: onLive,
  };
}

function openLobby(room: number, maxPlayers: number): GameLobby {
  return {
    id: benchLobby(room),
    name: `Bench ${room}`,
    lobbyType: 'free',
    isFree: true,
    token: USD,
    entryFee: baseUnits(0n),
    multiplierBasis: baseUnits(1_000_000n),
    maxPlayers,
    botCount: 0,
    isLocked: false,
    dailyOpenWindows: null,
    drainsAtMs: null,
  };
}
