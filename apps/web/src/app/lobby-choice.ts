import { type Failure, failure } from '@engulf/domain/errors/registry';
import { isEligible } from '@engulf/domain/ids/access-code';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { type LobbyRowKind, lobbyRowState } from '../features/lobbies/lobby-row-state.ts';
import { isFreeLobby } from '../shared/lobby-money.ts';
import { serverNowMs } from '../shared/server-clock.ts';
import { useSetting } from '../shared/settings.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { useWalletStore } from '../shared/stores/wallet-store.ts';

/** The lobby that the list starts with: the one selected last, else the first open one. */
export function useLobbyChoice(user: User | null) {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const [selectedId, setSelectedId] = useSetting('lobby');
  const selected =
    lobbies?.find((lobby) => lobby.id === selectedId) ?? lobbies?.find((lobby) => kindOf(lobby) === 'open');

  const select = (lobby: Lobby) => setSelectedId(lobby.id);
  const judge = (lobby: Lobby | undefined) =>
    requestEntry({
      user,
      lobbyKind: lobby && kindOf(lobby),
      hasLobbies: lobbies === undefined || lobbies.length > 0,
      needsWallet: lobby !== undefined && !isFreeLobby(lobby),
      hasWallet: useWalletStore.getState().connected !== undefined,
      isWalletComing: useWalletStore.getState().isRestoring,
    });
  return { selected, select, judge };
}

function kindOf(lobby: Lobby): LobbyRowKind {
  const pulse = useLobbyStore.getState().pulses[lobby.id];
  return lobbyRowState(lobby, { pulse, nowMs: serverNowMs(), isSignedIn: true }).kind;
}

type EntryRequest =
  /** Opens the choice of wallets, or asks the connected one to sign in. */
  | { readonly kind: 'connect' }
  | { readonly kind: 'sign' }
  /** The wallet is being connected again: it is known in a moment what comes next. */
  | { readonly kind: 'wait' }
  | { readonly kind: 'refused'; readonly failure: Failure }
  | { readonly kind: 'unlock' }
  | { readonly kind: 'guide' }
  | { readonly kind: 'confirm' };

/**
 * What pressing Play leads to. A closed lobby still opens its popup, which says when it opens; a full or offline one
 * refuses.
 */
export function requestEntry(request: {
  readonly user: User | null;
  /** Undefined if no lobby is selected. */
  readonly lobbyKind: LobbyRowKind | undefined;
  readonly hasLobbies: boolean;
  /** Paying needs a wallet in this browser; being signed in from an earlier visit is not enough. */
  readonly needsWallet: boolean;
  readonly hasWallet: boolean;
  readonly isWalletComing: boolean;
}): EntryRequest {
  const { user, lobbyKind, hasLobbies, needsWallet, hasWallet, isWalletComing } = request;
  if (lobbyKind === 'full') return refused(failure('LOBBY_FULL'));
  if (lobbyKind === 'offline') return refused(failure('LOBBY_OFFLINE'));
  if (!user) return { kind: hasWallet ? 'sign' : 'connect' };
  if (!hasLobbies) return refused(failure('NO_LOBBIES_FOUND'));
  if (lobbyKind === undefined) return refused(failure('LOBBY_NOT_FOUND'));
  if (user.name.trim() === '') return refused(failure('PLAYER_NAME_REQUIRED'));
  if (!isEligible(user)) return { kind: 'unlock' };
  const canEnter = lobbyKind === 'open' || lobbyKind === 'lastSeat';
  if (canEnter && needsWallet && !hasWallet) return { kind: isWalletComing ? 'wait' : 'connect' };
  return { kind: user.showGuide ? 'guide' : 'confirm' };
}

function refused(refusal: Failure): EntryRequest {
  return { kind: 'refused', failure: refusal };
}
