import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { useState } from 'react';
import { lobbyRowState } from '../features/lobbies/lobby-row-state.ts';
import { isFreeLobby } from '../shared/lobby-money.ts';
import { storage } from '../shared/storage.ts';
import { useLobbyStore } from '../shared/stores/lobby-store.ts';
import { useWalletStore } from '../shared/stores/wallet-store.ts';
import { requestEntry } from './entry-request.ts';

/** The lobby that "Join lobby" means: the one chosen last, else the first that can be entered. */
export function useLobbyChoice(user: User | null) {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const [chosenId, setChosenId] = useState(() => storage.read('lobby'));
  const selected =
    lobbies?.find((lobby) => lobby.id === chosenId) ?? lobbies?.find((lobby) => kindOf(lobby) === 'open');

  const select = (lobby: Lobby) => {
    storage.write('lobby', lobby.id);
    setChosenId(lobby.id);
  };
  const judge = (lobby: Lobby) =>
    requestEntry({
      user,
      lobbyKind: kindOf(lobby),
      needsWallet: !isFreeLobby(lobby),
      hasWallet: useWalletStore.getState().connected !== undefined,
    });
  return { selected, select, judge };
}

function kindOf(lobby: Lobby) {
  const pulse = useLobbyStore.getState().pulses[lobby.id];
  return lobbyRowState(lobby, { pulse, nowMs: Date.now(), isSignedIn: true }).kind;
}
