import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import type { ChatVisitor, GameChat, GamePorts } from '../game/ports.ts';

/**
 * What a room process may use of ports and chat. It may have been broken into, so it writes only for people who have shown
 * it a ticket or a session, and only in lobbies that it was given: an admin's line can be a command.
 */
export function forOwnVisitors(
  ports: GamePorts,
  chat: GameChat,
): { ports: GamePorts; chat: GameChat; lobbies: ReadonlySet<LobbyId> } {
  const visitors = new Set<UserId>();
  const lobbies = new Set<LobbyId>();
  const expectOwn = ({ userId }: ChatVisitor, lobbyId?: LobbyId): void => {
    if (!visitors.has(userId)) throw new Error('This user is not here');
    if (lobbyId !== undefined && !lobbies.has(lobbyId)) throw new Error('This lobby is not here');
  };
  return {
    lobbies,
    ports: {
      ...ports,
      takeLease: async (lobbyId) => {
        const isTaken = await ports.takeLease(lobbyId);
        if (isTaken) lobbies.add(lobbyId);
        return isTaken;
      },
      releaseLease: async (lobbyId) => {
        lobbies.delete(lobbyId);
        await ports.releaseLease(lobbyId);
      },
      handOver: async (match) => {
        const move = await ports.handOver(match);
        if (move) lobbies.delete(match.lobbyId);
        return move;
      },
      takeOver: async () => {
        const taken = await ports.takeOver();
        for (const { lobby, seats } of taken.matches) {
          lobbies.add(lobby.id);
          for (const { userId } of seats) visitors.add(userId);
        }
        return taken;
      },
      redeemTicket: async (ticket, lobbyId) => {
        const seat = await ports.redeemTicket(ticket, lobbyId);
        if (seat.ok) visitors.add(seat.value.userId);
        return seat;
      },
      identify: async (cookieHeader) => {
        const user = await ports.identify(cookieHeader);
        if (user) visitors.add(user.userId);
        return user;
      },
    },
    chat: {
      ...chat,
      write: async (visitor, lobbyId, text) => {
        expectOwn(visitor, lobbyId);
        return chat.write(visitor, lobbyId, text);
      },
      whisper: async (visitor, text) => {
        expectOwn(visitor);
        return chat.whisper(visitor, text);
      },
    },
  };
}
