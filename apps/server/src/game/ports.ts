import type { Failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { EntryId, LobbyId, MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import type { LobbyType } from '@engulf/domain/lobby/lobby-type';
import type { OpenWindow } from '@engulf/domain/lobby/open-window';
import type { BaseUnits, Token } from '@engulf/domain/money/amount';
import type { Recording } from '@engulf/sim/recording';
import type { Rules } from '@engulf/sim/rules';
import type { Logger } from 'pino';

/*
 * What the game rooms need from the rest of the server, and all they know of it. Money is in base units of the
 * lobby's token; in a free lobby in notional micro-dollars, which are never posted nor paid.
 */

/** A lobby as its room sees it. */
export type GameLobby = {
  readonly id: LobbyId;
  readonly name: string;
  readonly lobbyType: LobbyType;
  readonly isFree: boolean;
  readonly token: Token;
  readonly entryFee: BaseUnits;
  /** What rewards are compared with: N in `amount(xN)`. */
  readonly multiplierBasis: BaseUnits;
  readonly maxPlayers: number;
  /** Zero wherever money is at stake. */
  readonly botCount: number;
  readonly isLocked: boolean;
  readonly dailyOpenWindows: readonly OpenWindow[] | null;
};

/** Who may take a body in the room, and what it is worth. */
export type Seat = {
  readonly entryId: EntryId;
  readonly userId: UserId;
  readonly name: string;
  readonly avatarUrl: string | null;
  readonly isAdmin: boolean;
  readonly lobby: GameLobby;
  readonly stake: BaseUnits;
  readonly isFree: boolean;
};

/**
 * Money that changed hands inside a running match: `cellEaten` moves it between entries, `spillShared` from the
 * lobby's spill to an entry. What a leaver spills is posted by `settleEntry`; `killed` repeats its last `cellEaten`.
 */
export type BountyMove = {
  readonly from: EntryId | 'spill';
  readonly to: EntryId;
  readonly amount: bigint;
};

export type EntryOutcome = {
  readonly kind: 'cashout' | 'killed' | 'forfeit' | 'closed' | 'fault';
  /** What the player gets: the bounty, the refund of a forfeit, or nothing. */
  readonly amount: bigint;
  readonly massMilli: number;
};

export type Settlement = {
  /** What the ledger granted. */
  readonly amount: BaseUnits;
  /** False if the entry had been settled before; then this is what it got at that time. */
  readonly isNew: boolean;
};

/** Enough to replay a match and to tell whose body was whose. */
export type SavedMatch = {
  readonly id: MatchId;
  readonly lobbyId: LobbyId;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly finalTick: number;
  readonly worldHash: string;
  readonly recording: Recording;
  readonly players: readonly { readonly playerId: number; readonly entryId: EntryId }[];
};

export type LobbyLive = {
  readonly totalPlayers: number;
  /** Bounties and spill in the room, in base units. */
  readonly poolTotal: bigint;
};

export type GamePorts = {
  /** Every lobby there is; the room decides by its schedule whether it is open. */
  listLobbies(): Promise<readonly GameLobby[]>;
  /** Once per ticket. From here on the entry is `playing` and has to be settled, whatever happens. */
  redeemTicket(ticket: string, lobbyId: LobbyId): Promise<Result<Seat, Failure<'JOIN_TICKET_INVALID'>>>;
  /** Who is behind a cookie header: spectators have no ticket, but have to be signed in. */
  identify(cookieHeader: string | undefined): Promise<{ userId: UserId; name: string } | undefined>;
  /** What earlier matches left to the next; the world starts with it. */
  readSpill(lobbyId: LobbyId): Promise<bigint>;
  /** Written within 250 ms, in the order of the calls, and always before a settlement that was asked for later. */
  recordBountyMoves(lobbyId: LobbyId, moves: readonly BountyMove[]): void;
  /** Resolves when it is durable: tell the player after that. */
  settleEntry(entryId: EntryId, outcome: EntryOutcome): Promise<Settlement>;
  saveMatch(match: SavedMatch): Promise<void>;
  /** To be called at least every second while the room runs: a silent lobby is offline after 5 s. */
  setLobbyLive(lobbyId: LobbyId, live: LobbyLive): void;
};

export type GameDeps = {
  readonly ports: GamePorts;
  /** The standard rules with the overrides of the configuration. */
  readonly rules: Rules;
  /** Development-only messages are not registered in production. */
  readonly isProduction: boolean;
  readonly logger: Logger;
};

/** What `registerGame(deps)` in game/register-game.ts resolves to, after it has defined and opened its rooms. */
export type Game = {
  /** Ends every match in good order: everyone alive gets the whole bounty back. */
  close(): Promise<void>;
};
