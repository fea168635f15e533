import type { EntryId, MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import { playerColourIndex } from '@engulf/domain/profile/colour';
import type { SizePx } from '@engulf/netcode/camera';
import type { ConnectionQuality } from '@engulf/protocol/room/connection-quality';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { botName } from '@engulf/sim/bots/bot-names';
import type { PlayerId } from '@engulf/sim/players';
import type { Connection } from '../connection.ts';
import type { Seat } from '../ports.ts';

/** A person with a paid or free entry into this match, from the ticket to the settlement. */
export type Participant = {
  readonly seat: Seat;
  /** Waiting to spawn, in the arena, or out of it for good. */
  state: 'waiting' | 'playing' | 'over';
  /** When a participant who has not spawned is refunded. */
  readonly spawnByTick: number;
  player: PlayerId | undefined;
  connection: Connection | undefined;
  /** Unknown until the player spawns; nothing of the arena is sent before that. */
  screen: SizePx | undefined;
  /** The number that the client gave its latest input. Only ever sent back to the same client. */
  latestInput: number;
  /** Up to where its inputs are confirmed by its own signature. */
  confirmedToTick: number;
  /** When all that it has signed so far is checked. */
  confirming: Promise<void>;
  /** The latest pointer that was another one than before, and when the player last did anything. */
  pointer: { readonly x: number; readonly y: number };
  activeAtTick: number;
  /** When the player was last told that doing nothing costs the seat. */
  idleToldAtTick: number;
  /** What its connection can carry, by the client's own measure. */
  quality: ConnectionQuality;
  /** What it did in this life. */
  life: { bornTick: number; peakMassMilli: number; kills: number };
  /** Expelled by an admin: the seat is not given back. */
  isExpelled: boolean;
  /** How the game ended, for a player who was not connected at that moment. */
  gameOver: RoomServerPayload<'gameOver'> | undefined;
  /** When the player, while connected, was told how the game ended. */
  toldAtTick: number | undefined;
  /** When the participant is forgotten; undefined until the end is settled and nobody is connected. */
  forgetAtTick: number | undefined;
};

/**
 * Maps the simulation's player ids to people and bots. A match that lasts a day has tens of thousands of entries, so those
 * that are over are forgotten after a while.
 */
export type Roster = {
  readonly matchId: MatchId;
  readonly byEntry: Map<EntryId, Participant>;
  /** A user's entries; empty once all are forgotten. */
  readonly byUser: Map<UserId, Participant[]>;
  readonly byPlayer: Map<PlayerId, Participant>;
  readonly bots: Map<PlayerId, string>;
};

export function createRoster(matchId: MatchId): Roster {
  return { matchId, byEntry: new Map(), byUser: new Map(), byPlayer: new Map(), bots: new Map() };
}

export function addParticipant(roster: Roster, seat: Seat, spawnByTick: number): Participant {
  const participant: Participant = {
    seat,
    state: 'waiting',
    spawnByTick,
    player: undefined,
    connection: undefined,
    screen: undefined,
    latestInput: 0,
    confirmedToTick: 0,
    confirming: Promise.resolve(),
    pointer: { x: 0, y: 0 },
    activeAtTick: 0,
    idleToldAtTick: 0,
    quality: 'excellent',
    life: { bornTick: 0, peakMassMilli: 0, kills: 0 },
    isExpelled: false,
    gameOver: undefined,
    toldAtTick: undefined,
    forgetAtTick: undefined,
  };
  roster.byEntry.set(seat.entryId, participant);
  const own = roster.byUser.get(seat.userId);
  if (own) own.push(participant);
  else roster.byUser.set(seat.userId, [participant]);
  return participant;
}

export function forgetParticipant({ byEntry, byUser, byPlayer }: Roster, participant: Participant): void {
  const { seat, player } = participant;
  byEntry.delete(seat.entryId);
  byUser.set(
    seat.userId,
    byUser.get(seat.userId)!.filter((other) => other !== participant),
  );
  if (player !== undefined) byPlayer.delete(player);
}

/** Whether anybody has ever had a seat in this match. */
export function isEntered({ byUser }: Roster): boolean {
  return byUser.size > 0;
}

export function setPlayer(roster: Roster, participant: Participant, player: PlayerId): void {
  participant.state = 'playing';
  participant.player = player;
  roster.byPlayer.set(player, participant);
}

export function entriesOf({ byUser }: Roster, userId: UserId): readonly Participant[] {
  return byUser.get(userId) ?? [];
}

/** Whether a user holds a seat in this match, and has spawned from it. */
export function seatStateOf(roster: Roster, userId: UserId): 'waiting' | 'playing' | undefined {
  for (const { state } of entriesOf(roster, userId)) if (state !== 'over') return state;
  return undefined;
}

/** Whether a user has ever had a seat in this match. */
export function hasPlayed({ byUser }: Roster, userId: UserId): boolean {
  return byUser.has(userId);
}

/** The player of that name, if connected. Names are unique regardless of case. */
export function findConnected({ byEntry }: Roster, name: string): Participant | undefined {
  for (const participant of byEntry.values()) {
    if (participant.connection && participant.seat.name.toLowerCase() === name.toLowerCase())
      return participant;
  }
  return undefined;
}

/** People who hold a seat. Bots do not count, because they make room for people. */
export function countSeated({ byEntry }: Roster): number {
  let seated = 0;
  for (const { state } of byEntry.values()) if (state !== 'over') seated++;
  return seated;
}

/** The users who hold a seat, except those who are being expelled. */
export function listSeated({ byEntry }: Roster): UserId[] {
  const seated = [...byEntry.values()].filter(({ state, isExpelled }) => state !== 'over' && !isExpelled);
  return seated.map(({ seat }) => seat.userId);
}

/** The entries that have a place in this match, but no connection to it. */
export function listDisconnected({ byEntry }: Roster): EntryId[] {
  const left = [...byEntry.values()].filter(({ state, connection }) => state !== 'over' && !connection);
  return left.map(({ seat }) => seat.entryId);
}

/** The entries that still have a place, but whose players were thrown out. */
export function listExpelled({ byEntry }: Roster): EntryId[] {
  const thrownOut = [...byEntry.values()].filter(({ state, isExpelled }) => state !== 'over' && isExpelled);
  return thrownOut.map(({ seat }) => seat.entryId);
}

export function addBot(roster: Roster, player: PlayerId): void {
  roster.bots.set(player, botName(roster.matchId, player));
}

export function removeBot(roster: Roster, player: PlayerId): void {
  roster.bots.delete(player);
}

export function nameOf(roster: Roster, player: PlayerId): string {
  const name = roster.byPlayer.get(player)?.seat.name ?? roster.bots.get(player);
  if (name === undefined) throw new Error(`Player ${player} is not on the roster`);
  return name;
}

/** The same for everyone: the one that the player has chosen, else that of the id. */
export function colourOf(roster: Roster, player: PlayerId): number {
  const seat = roster.byPlayer.get(player)?.seat;
  return seat?.colour ?? playerColourIndex(seat?.userId ?? nameOf(roster, player));
}
