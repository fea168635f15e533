import { describeFailure } from '@engulf/domain/errors/registry';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { useEffect, useState } from 'react';
import { signInWithWallet } from '../features/wallet/sign-in.ts';
import { useUserCache } from '../shared/api/queries.ts';
import { forgetInvite, readInvite } from '../shared/invite.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { useWalletStore } from '../shared/stores/wallet-store.ts';
import { showToast } from '../ui/toast.tsx';
import { useLobbyChoice } from './lobby-choice.ts';
import type { Dialog } from './menu-dialogs.tsx';

/**
 * The way from Play to the entry popup. What is missing (wallet, sign-in, access code, guide) opens by itself, and once
 * it is done the player continues to the lobby that was pressed first.
 */
export function useEntryRequest(user: User | null, onDialog: (dialog: Dialog | undefined) => void) {
  const { selected, select, judge } = useLobbyChoice(user);
  const cache = useUserCache();
  const [wantedId, setWantedId] = useState<string>();
  const [isSigning, setSigning] = useState(false);
  const isWalletComing = useWalletStore(({ isRestoring }) => isRestoring);
  const [isWaiting, setWaiting] = useState(false);

  const sign = async () => {
    const { connected } = useWalletStore.getState();
    if (!connected || isSigning) return;
    setSigning(true);
    const result = await signInWithWallet(connected.wallet, () => undefined);
    setSigning(false);
    if (!result.ok) return showToast('danger', result.error);
    cache.dropPrivate();
    cache.set(result.value.user);
  };

  const request = (lobby: Lobby | undefined) => {
    if (isSigning) return;
    if (lobby) select(lobby);
    const next = judge(lobby);
    const isOnTheWay = next.kind !== 'refused' && next.kind !== 'confirm';
    if (!isOnTheWay) forgetInvite();
    setWantedId(isOnTheWay ? lobby?.id : undefined);
    setWaiting(next.kind === 'wait');
    switch (next.kind) {
      case 'wait':
        return;
      case 'connect':
        return onDialog({ kind: 'wallet' });
      case 'sign':
        return void sign();
      case 'unlock':
        return onDialog({ kind: 'accessCode', isOnTheWay: true });
      case 'guide':
        return onDialog({ kind: 'guide' });
      case 'confirm':
        return onDialog({ kind: 'entry', lobbyId: lobby!.id });
      case 'refused':
        return showToast('danger', describeFailure(next.failure));
    }
  };

  const goOn = () => request(useLobbyStore.getState().lobbies?.find(({ id }) => id === wantedId));
  // biome-ignore lint/correctness/useExhaustiveDependencies: continues when something about the user has changed.
  useEffect(() => {
    if (user && wantedId !== undefined) goOn();
  }, [user]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: continues when the wallet is there, or will not come.
  useEffect(() => {
    if (isWaiting && !isWalletComing && wantedId !== undefined) goOn();
  }, [isWalletComing]);

  const [invite, setInvite] = useState(readInvite);
  const lobbies = useLobbyStore((state) => state.lobbies);
  const isListed = lobbies !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the lobbies are known.
  useEffect(() => {
    if (invite && isListed) request(lobbies.find(({ id }) => id === invite.lobbyId));
  }, [isListed]);

  return {
    selected,
    select,
    request,
    /** What the player was invited with, if it was to this lobby. */
    codeFor: (lobbyId: string) => (invite?.lobbyId === lobbyId ? invite.code : undefined),
    isWanting: wantedId !== undefined,
    cancel: () => {
      forgetInvite();
      setInvite(undefined);
      setWantedId(undefined);
      onDialog(undefined);
    },
  };
}
