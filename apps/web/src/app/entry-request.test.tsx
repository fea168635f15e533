// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Wallet, WalletAccount } from '@wallet-standard/base';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { useWalletStore } from '../shared/stores/wallet-store.ts';
import { aLobby, aUser } from '../testing/fixtures.ts';
import { render, unmount } from '../testing/page.ts';
import { useEntryRequest } from './entry-request.ts';

const lobby = aLobby();
const user = aUser();
const onDialog = vi.fn();
let request: ReturnType<typeof useEntryRequest>['request'];

function Probe() {
  request = useEntryRequest(user, onDialog).request;
  return null;
}

/** The menu of a player who has reloaded the page and presses Play before the wallet is back. */
async function pressEarly(): Promise<void> {
  useWalletStore.setState({ connected: undefined, isRestoring: true });
  useLobbyStore.getState().setLobbies([lobby], Date.now());
  await render(
    <QueryClientProvider client={new QueryClient()}>
      <Probe />
    </QueryClientProvider>,
  );
  await act(async () => request(lobby));
  expect(onDialog).not.toHaveBeenCalled();
}

afterEach(async () => {
  vi.clearAllMocks();
  await unmount();
  useWalletStore.setState({ connected: undefined, isRestoring: false });
  useLobbyStore.setState({ lobbies: undefined, pulses: {} });
});

test('Play goes on once the wallet of the last visit is back', async () => {
  await pressEarly();
  const connected = { wallet: {} as Wallet, account: {} as WalletAccount };
  await act(async () => useWalletStore.setState({ connected, isRestoring: false }));
  expect(onDialog).toHaveBeenCalledExactlyOnceWith({ kind: 'entry', lobbyId: lobby.id });
});

test('Play asks for a wallet if that one does not come back', async () => {
  await pressEarly();
  await act(async () => useWalletStore.setState({ isRestoring: false }));
  expect(onDialog).toHaveBeenCalledExactlyOnceWith({ kind: 'wallet' });
});
