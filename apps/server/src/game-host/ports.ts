import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { readSessionToken } from '../accounts/session-cookie.ts';
import { findSessionUser } from '../accounts/sessions.ts';
import { redeemTicket } from '../entries/redeem-ticket.ts';
import type { Clock, GamePorts } from '../game/ports.ts';
import { listLobbies, toGameLobby } from '../lobbies/lobby-rows.ts';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { createMoneyLanes, type MoneyLanes } from './money-lanes.ts';
import { saveMatch } from './save-match.ts';

/** The game's ports on the real database. */
export function createGamePorts(
  context: Context,
  clock: Clock = systemClock,
): { ports: GamePorts; lanes: MoneyLanes } {
  const lanes = createMoneyLanes(context, clock);
  const freeLobbies = new Set<LobbyId>();

  const ports: GamePorts = {
    listLobbies: async () => (await listLobbies(context.db)).map(toGameLobby),
    redeemTicket: async (ticket, lobbyId) => {
      const seat = await redeemTicket(context, ticket, lobbyId);
      if (seat.ok && seat.value.isFree) freeLobbies.add(lobbyId);
      return seat;
    },
    identify: async (cookieHeader) => {
      const token = readSessionToken(cookieHeader);
      const user = token === undefined ? undefined : await findSessionUser(context, token);
      return user && { userId: user.id, name: user.name };
    },
    readSpill: (lobbyId) => readBalance(context.db, spillOf(lobbyId)),
    recordBountyMoves: (lobbyId, moves) => {
      // Notional money has no accounts in the ledger.
      if (!freeLobbies.has(lobbyId)) lanes.recordBountyMoves(lobbyId, moves);
    },
    settleEntry: lanes.settleEntry,
    saveMatch: (match) => saveMatch(context, match),
    setLobbyLive: (lobbyId, live) => context.presence.setLive(lobbyId, live),
  };
  return { ports, lanes };
}
