import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import type { AccountKind } from '../../platform/database/money.ts';

export type Account = {
  readonly id: string;
  readonly kind: AccountKind;
  readonly lobbyId: LobbyId;
};

/** What the lobby's pool on the chain holds. */
export const poolOf = (lobbyId: LobbyId) => account('pool', lobbyId, lobbyId);
/** What the treasury got from this lobby, and that it is the platform's. */
export const treasuryOf = (lobbyId: LobbyId) => account('treasury', lobbyId, lobbyId);
export const feesOf = (lobbyId: LobbyId) => account('fees', lobbyId, lobbyId);
/** What a player carries. */
export const bountyOf = (lobbyId: LobbyId, entryId: EntryId) => account('bounty', lobbyId, entryId);
/** What leavers left to the living, or to the next match. */
export const spillOf = (lobbyId: LobbyId) => account('spill', lobbyId, lobbyId);
/** What is on its way to a wallet. */
export const payableOf = (lobbyId: LobbyId, payoutId: string) => account('payable', lobbyId, payoutId);

function account(kind: AccountKind, lobbyId: LobbyId, owner: string): Account {
  return { id: `${kind}:${owner}`, kind, lobbyId };
}
