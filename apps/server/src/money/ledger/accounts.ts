import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import type { AccountKind } from '../../platform/database/money.ts';

export type Account = {
  readonly id: string;
  readonly kind: AccountKind;
  readonly lobbyId: LobbyId;
};

/** The lobby's pool on the chain. */
export const poolOf = (lobbyId: LobbyId) => account('pool', lobbyId, lobbyId);
/** The treasury's income from this lobby, and its counterpart: the platform owns it. */
export const treasuryOf = (lobbyId: LobbyId) => account('treasury', lobbyId, lobbyId);
export const feesOf = (lobbyId: LobbyId) => account('fees', lobbyId, lobbyId);
/** What a player carries in the arena. */
export const bountyOf = (lobbyId: LobbyId, entryId: EntryId) => account('bounty', lobbyId, entryId);
/** Forfeited money, to be shared among the living or kept for the next match. */
export const spillOf = (lobbyId: LobbyId) => account('spill', lobbyId, lobbyId);
/** Money sent to the pool without paying for an entry. It is owed to nobody. */
export const giftsOf = (lobbyId: LobbyId) => account('gift', lobbyId, lobbyId);
/** Owed to a wallet. */
export const payableOf = (lobbyId: LobbyId, payoutId: string) => account('payable', lobbyId, payoutId);

function account(kind: AccountKind, lobbyId: LobbyId, owner: string): Account {
  return { id: `${kind}:${owner}`, kind, lobbyId };
}
