import { signOut } from '@engulf/protocol/user';
import { StandardDisconnect, type StandardDisconnectFeature } from '@wallet-standard/features';
import { callApi } from '../../shared/api/call-api.ts';
import { MENU_TIMING } from '../../shared/menu-timing.ts';
import { storage } from '../../shared/storage.ts';
import { useWalletStore } from '../../shared/stores/wallet-store.ts';

/** Ends the session and lets go of the wallet. A wallet that does not answer in time is shaken off by a reload. */
export async function disconnectWallet(): Promise<void> {
  const { connected, setConnected } = useWalletStore.getState();
  await callApi(signOut, {});
  storage.remove('walletName', 'txSignature', 'paymentSessionId', 'joinTicket', 'lobbyId', 'sessionId');
  setConnected(undefined);
  const feature = (connected?.wallet.features as Partial<StandardDisconnectFeature> | undefined)?.[
    StandardDisconnect
  ];
  if (!feature) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), MENU_TIMING.walletDisconnectTimeoutMs);
  });
  const outcome = await Promise.race([feature.disconnect().catch(() => undefined), tooLate]);
  clearTimeout(timer);
  if (outcome === 'late') window.location.reload();
}
