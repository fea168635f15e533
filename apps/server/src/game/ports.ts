import type { Failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { EntryId, LobbyId, MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import type { LobbyType } from '@engulf/domain/lobby/lobby-type';
import type { OpenWindow } from '@engulf/domain/lobby/open-window';
import type { BaseUnits, Token } from '@engulf/domain/money/amount';
import type { RoomChatLine } from '@engulf/protocol/room/chat-messages';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { PublicPart } from '@engulf/sim/keys';
import type { Bond } from '@engulf/sim/recording/header';
import type { Rules } from '@engulf/sim/rules';
import type { Logger } from 'pino';

/*
 * Everything the game knows of the rest of the server. Money is in base units of the lobby's token; in a free lobby
 * it is notional micro-dollars, which are never posted nor paid.
 */

/** A lobby as the game sees it. */
export type GameLobby = {
  readonly id: LobbyId;
  readonly name: string;
  readonly lobbyType: LobbyType;
  readonly isFree: boolean;
  readonly token: Token;
  readonly entryFee: BaseUnits;
  /** Rewards are shown as a multiple of this: N in `amount(xN)`. */
  readonly multiplierBasis: BaseUnits;
  readonly maxPlayers: number;
  /** Zero wherever money is at stake. */
  readonly botCount: number;
  readonly isLocked: boolean;
  readonly dailyOpenWindows: readonly OpenWindow[] | null;
  /** When an operator closes it, announced ahead. */
  readonly drainsAtMs: number | null;
  /** Open menus show its arena: it stays awake, and is sketched for them. */
  readonly isShown?: boolean;
  /** Processes of its own region are there for its next match. */
  readonly isElsewhere?: boolean;
};

/** The right to play in a room, with the stake it brings. */
export type Seat = {
  readonly entryId: EntryId;
  readonly userId: UserId;
  readonly name: string;
  readonly avatarUrl: string | null;
  /** The one that the player has chosen; nothing: by the id. */
  readonly colour?: number | null;
  readonly isAdmin: boolean;
  readonly lobby: GameLobby;
  readonly stake: BaseUnits;
  readonly isFree: boolean;
  /** The entry is already in the match, unless the answer to its ticket was lost. */
  readonly isReturn: boolean;
  /** One of the user's first lives, in a free lobby. */
  readonly isNewcomer: boolean;
  /** What the player signs its inputs with, in hexadecimal, if its payment names a key. */
  readonly inputsKey?: string | undefined;
  /** The players who were called to begin together, if this one was. */
  readonly call?: GatheringCall | undefined;
};

export type GatheringCall = { readonly id: string; readonly size: number; readonly endsAtMs: number };

/**
 * Money that changed hands in a running match: `cellEaten` moves it between entries, `spillShared` from the lobby's
 * spill to an entry. `settleEntry` posts what a leaver spills.
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

/** For the user's records; of somebody who had a body. */
export type LivedLife = {
  readonly peakMassMilli: number;
  readonly seconds: number;
  readonly kills: number;
};

export type Settlement = {
  /** What the ledger granted. */
  readonly amount: BaseUnits;
  /** What that was worth at the time of the outcome, in micro-dollars; null if no price was known. */
  readonly usdValue: bigint | null;
} & (
  | { readonly isNew: true }
  /** The entry was settled before: `amount` and `kind` are those of the first settlement. */
  | { readonly isNew: false; readonly kind: EntryOutcome['kind'] }
);

/** Where the randomness of a match comes from. The commitment is public by now. */
export type MatchOrigin = {
  readonly id: MatchId;
  readonly commitment: Uint8Array;
  /** Null if no block was available. Only a free lobby is opened without one. */
  readonly publicPart: PublicPart | null;
  readonly bond: Bond;
  /** Of the last epoch. Determines the whole future of the arena: it must not be sent, logged or stored anywhere. */
  readonly secret: Uint8Array;
};

export type EndedMatch = {
  readonly id: MatchId;
  readonly lobbyId: LobbyId;
  readonly finalTick: number;
  /** What could not be shared out; the next match of the lobby starts with it. */
  readonly spill: bigint;
};

/** A match between two steps, on its way out of this process. */
export type LeavingMatch = {
  readonly id: MatchId;
  readonly lobbyId: LobbyId;
  /** Of everybody who is in it. */
  readonly entryIds: readonly EntryId[];
  readonly state: Uint8Array;
};

/** Where a match went, and a ticket for each of its entries to follow it. Unknown if the answer to the move was lost. */
export type MatchMove =
  | { readonly baseGame: string | null; readonly tickets: ReadonlyMap<EntryId, string> }
  | 'unknown';

/** A match that another process gave to this one. */
export type ArrivingMatch = {
  readonly lobby: GameLobby;
  readonly origin: MatchOrigin;
  readonly seats: readonly Seat[];
  readonly state: Uint8Array;
};

export type LobbyLive = {
  /** People. */
  readonly totalPlayers: number;
  readonly totalBots: number;
  /** Bounties and spill in the room, in base units. */
  readonly poolTotal: bigint;
  /** People who have a place in the match, but no connection to it. */
  readonly disconnected: readonly EntryId[];
  /** Those of them who were thrown out and cannot return; missing if nobody was. */
  readonly expelled?: readonly EntryId[] | undefined;
  /** The largest cells, five numbers each: id, x, y, radius, colour. Only of an arena that is shown. */
  readonly sketch?: readonly number[] | undefined;
};

export type GamePorts = {
  /** Every lobby there is; the game decides by the schedule whether it is open. */
  listLobbies(): Promise<readonly GameLobby[]>;
  /** Whether this process may run the lobby's room. Another process may have it; asking again is harmless. */
  takeLease(lobbyId: LobbyId): Promise<boolean>;
  releaseLease(lobbyId: LobbyId): Promise<void>;
  /** Each ticket works once. From then on the entry is `playing` and has to be settled, whatever happens. */
  redeemTicket(
    ticket: string,
    lobbyId: LobbyId,
  ): Promise<Result<Seat, Failure<'JOIN_TICKET_INVALID' | 'USER_BANNED' | 'LOBBY_OFFLINE'>>>;
  /** The user behind a cookie header: spectators have no ticket, but have to be signed in. */
  identify(cookieHeader: string | undefined): Promise<{ userId: UserId; name: string } | undefined>;
  /** Which of these users are banned. */
  findBanned(userIds: readonly UserId[]): Promise<readonly UserId[]>;
  /** Whether this is the code of a semi-private lobby. Wrong ones are counted by user and by address. */
  checkLobbyCode(
    lobbyId: LobbyId,
    code: string | undefined,
    guesser: { readonly userId: UserId; readonly address: string },
  ): Promise<Result<undefined, Failure<'INVALID_LOBBY_CODE' | 'RATE_LIMITED'>>>;
  /** What earlier matches could not share out; the world starts with it. */
  readSpill(lobbyId: LobbyId): Promise<bigint>;
  /**
   * Commits to a new match of the lobby, which must have none. Undefined while the block that the match depends on is
   * not there yet: ask again soon. Each origin is given out once.
   */
  prepareMatch(lobby: GameLobby, rules: Rules): Promise<MatchOrigin | undefined>;

  /** The newest slot of the chain; undefined if no node answers, or all are known to have fallen behind. */
  readNewestSlot(lobbyId: LobbyId): Promise<bigint | undefined>;
  /** The first block from a slot on; undefined while there is none, and if no node answers. */
  findBeacon(decides: bigint): Promise<PublicPart | undefined>;

  /*
   * Money of one lobby is written in the order of the calls: a settlement sees every move recorded before it, and a
   * move every settlement requested before it. A write that fails for want of the database is retried until it is
   * durable, and what comes after it in the same lobby waits. Nothing is written twice.
   */

  /** Written within 250 ms, or before the next settlement of the lobby. */
  recordBountyMoves(lobbyId: LobbyId, moves: readonly BountyMove[]): void;
  /**
   * Resolves when the settlement is durable; tell the player after that. Rejects only for what a retry cannot
   * change, such as an unknown entry.
   */
  settleEntry(
    lobbyId: LobbyId,
    entryId: EntryId,
    outcome: EntryOutcome,
    life?: LivedLife,
  ): Promise<Settlement>;

  /** From now on this process takes no lobbies. False if no other process could continue its matches. */
  startLeaving(): Promise<boolean>;
  /**
   * Gives a match to another process, once everything about it is durable. Undefined if none can take it: then it is
   * still ours.
   */
  handOver(match: LeavingMatch): Promise<MatchMove | undefined>;
  /** Matches that were handed to this process, each once. `isNearby`: ask again at once, because more may come. */
  takeOver(): Promise<{ readonly matches: readonly ArrivingMatch[]; readonly isNearby: boolean }>;
  /** A match that was taken over cannot continue: everybody in it is refunded. */
  abandonMatch(id: MatchId, lobbyId: LobbyId): Promise<void>;

  /**
   * Takes the next part of a recording: the header first, then segments. Kept in order, retried until durable. Resolves
   * then, with a receipt for everybody in the room if the match has them.
   */
  recordPart(
    matchId: MatchId,
    kind: 'header' | 'segment',
    body: Uint8Array,
  ): Promise<RoomServerPayload<'receipt'> | undefined>;
  /**
   * No part follows. Resolves when the recording is closed and what was secret about the match is public, or, if the
   * storage is away, after some seconds: then that happens later. Rejects if the match belongs to another process by now,
   * or to nobody: then others end it.
   */
  closeMatch(match: EndedMatch): Promise<void>;
  /** Call it at least once a second while the room runs: a silent lobby counts as offline after 5 s. */
  setLobbyLive(lobbyId: LobbyId, live: LobbyLive): void;
};

/** Somebody in a room who writes. */
export type ChatVisitor = { readonly userId: UserId; readonly address: string };

export type ChatRefusal = Failure<
  | 'CHAT_EMPTY'
  | 'CHAT_TOO_LONG'
  | 'CHAT_CLOSED'
  | 'CHAT_MUTED'
  | 'CHAT_SLOW_MODE'
  | 'CHAT_COMMAND_FORBIDDEN'
  | 'CHAT_COMMAND_INVALID'
  | 'CHAT_RECIPIENT_NOT_FOUND'
  | 'RATE_LIMITED'
  | 'USER_BANNED'
>;

export type GameChatEvent =
  | { readonly kind: 'line'; readonly line: RoomChatLine }
  /** Lines of that lobby were removed. */
  | { readonly kind: 'removed'; readonly lobbyId: LobbyId }
  /** An admin kicks the user out of any room. */
  | { readonly kind: 'kicked'; readonly userId: UserId };

/** The chat of the lobbies. It asks the database, so a tick must not wait for it. */
export type GameChat = {
  /** A line that begins with a slash is a command. What is written comes back through `follow`. */
  write(visitor: ChatVisitor, lobbyId: LobbyId, text: string): Promise<Result<undefined, ChatRefusal>>;
  /** The moderated text of a private message. It is not stored. */
  whisper(visitor: ChatVisitor, text: string): Promise<Result<string, ChatRefusal>>;
  /** Oldest first. */
  readLatest(lobbyId: LobbyId): Promise<Result<readonly RoomChatLine[], ChatRefusal>>;
  /** Events of all lobbies. Returns a function that unsubscribes. */
  follow(listener: (event: GameChatEvent) => void): () => void;
};

/** Why a lobby has no room to join. */
export type LobbyRefusal = Failure<'LOBBY_NOT_FOUND' | 'LOBBY_CLOSED' | 'LOBBY_OFFLINE'>;

/** Time in the game, so that tests can advance it by hand. */
export type Clock = {
  /** Wall-clock time in whole milliseconds, for schedules and timestamps. */
  nowMs(): number;
  /** Never jumps; for pace and rate limits. */
  monotonicMs(): number;
  /** Runs once after the delay. Returns a function that cancels it. */
  setTimer(delayMs: number, run: () => void): () => void;
  /** The same for what may take long: no more of these run in a turn of the event loop than fit into some milliseconds. */
  setTurn(delayMs: number, run: () => void): () => void;
};

/** How many are in a room. */
export type RoomCounts = { readonly players: number; readonly spectators: number; readonly bots: number };

/** Metrics for operators. Called in the middle of a tick, so an implementation may only count. */
export type GameMeter = {
  tick(tookMs: number, lateMs: number): void;
  /** Once a second, by the name of the lobby. */
  room(lobby: string, counts: RoomCounts): void;
  connection(event: 'joined' | 'dropped' | 'reconnected'): void;
  /** The code is one of ours, never a client's text. */
  refused(what: 'join' | 'socket' | 'message', code: string): void;
};

export type GameDeps = {
  readonly ports: GamePorts;
  readonly chat: GameChat;
  readonly clock: Clock;
  /** Those of free lobbies, with the overrides of the configuration. */
  readonly rules: Rules;
  readonly logger: Logger;
  /** Whether players of free lobbies may ask for mass, to try things out. */
  readonly isTesting: boolean;
  /** Nothing is counted without it. */
  readonly meter?: GameMeter | undefined;
};

/** What is done with the running game, here or in a process of its own. */
export type GameControl = {
  /** Resolves when every open lobby has its room, or cannot have one soon. */
  untilOpen(): Promise<void>;
  /**
   * Hands every match to another process, or, if none can take it, plays it to the end of a last wave of portals.
   * Resolves when all rooms are closed; at once if this is the only process.
   */
  leave(): Promise<void>;
  /** Ends every match; everyone alive gets their whole bounty back. Resolves when all rooms are closed. */
  close(): Promise<void>;
};
