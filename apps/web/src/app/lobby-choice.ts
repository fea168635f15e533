import { type Failure, failure } from '@engulf/domain/errors/registry';
import { isEligible } from '@engulf/domain/ids/access-code';
import type { Lobby } from '@engulf/protocol/lobby';
import type { User } from '@engulf/protocol/user';
import { type LobbyRowKind, lobbyRowState } from '../features/lobbies/lobby-row-state.ts';
import { isFreeLobby } from '../shared/lobby-money.ts';
import { useSetting } from '../shared/settings.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { useWalletStore } from '../shared/stores/wallet-store.ts';

/** The lobby that "Join lobby" enters: the one selected last, else the first open one. */
export function useLobbyChoice(user: User | null) {
  const lobbies = useLobbyStore((state) => state.lobbies);
  const [selectedId, setSelectedId] = useSetting('lobby');
  const selected =
    lobbies?.find((lobby) => lobby.id === selectedId) ?? lobbies?.find((lobby) => kindOf(lobby) === 'open');

  const select = (lobby: Lobby) => setSelectedId(lobby.id);
  const judge = (lobby: Lobby) =>
    requestEntry({
      user,
      lobbyKind: kindOf(lobby),
      needsWallet: !isFreeLobby(lobby),
      hasWallet: useWalletStore.getState().connected !== undefined,
    });
  return { selected, select, judge };
}

function kindOf(lobby: Lobby): LobbyRowKind {
  const pulse = useLobbyStore.getState().pulses[lobby.id];
  return lobbyRowState(lobby, { pulse, nowMs: Date.now(), isSignedIn: true }).kind;
}

type EntryRequest =
  | { readonly kind: 'connect' }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly asksForCode: boolean }
  | { readonly kind: 'confirm' };

/**
 * What pressing a lobby's button leads to. A closed lobby still opens its popup, which says when it opens; a full or
 * offline one refuses.
 */
export function requestEntry(request: {
  readonly user: User | null | undefined;
  readonly lobbyKind: LobbyRowKind;
  /** Paying needs a wallet in this browser; being signed in from an earlier visit is not enough. */
  readonly needsWallet: boolean;
  readonly hasWallet: boolean;
}): EntryRequest {
  const { user, lobbyKind, needsWallet, hasWallet } = request;
  if (!user) return { kind: 'connect' };
  if (lobbyKind === 'full') return refused(failure('LOBBY_FULL'));
  if (lobbyKind === 'offline') return refused(failure('LOBBY_OFFLINE'));
  const canEnter = lobbyKind === 'open' || lobbyKind === 'lastSeat';
  if (user.name.trim() === '') return refused(failure('PLAYER_NAME_REQUIRED'));
  if (!isEligible(user)) return { ...refused(failure('USER_NOT_ELIGIBLE')), asksForCode: true };
  if (canEnter && needsWallet && !hasWallet) return { kind: 'connect' };
  return { kind: 'confirm' };
}

function refused(refusal: Failure) {
  return { kind: 'refused', failure: refusal, asksForCode: false } as const;
}
