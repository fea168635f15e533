import { type Failure, failure } from '@engulf/domain/errors/registry';
import { isEligible } from '@engulf/domain/ids/access-code';
import type { User } from '@engulf/protocol/user';
import type { LobbyRowKind } from '../features/lobbies/lobby-row-state.ts';

export type EntryRequest =
  | { readonly kind: 'connect' }
  | { readonly kind: 'refused'; readonly failure: Failure; readonly asksForCode: boolean }
  | { readonly kind: 'confirm' };

/**
 * What a press on a lobby's button leads to. A closed lobby still opens its popup, which says when it opens; a full
 * or silent one cannot be entered at all.
 */
export function requestEntry(request: {
  readonly user: User | null | undefined;
  readonly lobbyKind: LobbyRowKind;
  /** A paid entry needs a wallet in this browser, even when the session of an earlier visit is still open. */
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
