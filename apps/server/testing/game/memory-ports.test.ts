import { baseUnits } from '@engulf/domain/money/amount';
import { createMemoryPorts, issueTicket } from './memory-ports.ts';
import { describeMoneyContract } from './ports-contract.ts';
import { paidLobby } from './test-lobbies.ts';

describeMoneyContract('the memory ports', async () => {
  const ports = createMemoryPorts([]);
  return {
    ports,
    openLobby: async () => {
      const lobby = paidLobby();
      ports.lobbies.push(lobby);
      return lobby.id;
    },
    enter: async (lobbyId, stake) => {
      const lobby = ports.lobbies.find(({ id }) => id === lobbyId)!;
      const { ticket, seat } = issueTicket(ports, { ...lobby, multiplierBasis: baseUnits(stake) });
      await ports.redeemTicket(ticket, lobbyId);
      return seat.entryId;
    },
    balanceOf: async (_lobbyId, entryId) => ports.balances.get(entryId)!,
    failWrites: (count) => {
      ports.failuresLeft = count;
    },
    dispose: async () => {},
  };
});
