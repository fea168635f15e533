import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { closesAtMs, isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { rulesOfLobby } from '@engulf/sim/rules';
import { ROOM_LIMITS } from '../limits.ts';
import { announceClosing } from '../match/ending.ts';
import type { Match } from '../match/match.ts';
import { listSeated } from '../match/roster.ts';
import type { ArrivingMatch, GameLobby } from '../ports.ts';
import { findOpenLobby, type LobbyRooms, listOpenRooms, releaseLease, roomHostOf } from './lobby-rooms.ts';
import { pause } from './pause.ts';
import type { RoomStart } from './room-host.ts';
import { openRoom } from './running-room.ts';

const BAN_REASON = 'this account is banned';

/** Gives every open lobby a room, and announces the closing when a lobby is about to close. */
export async function checkLobbies(state: LobbyRooms): Promise<void> {
  const { deps, rooms, preparing, unclaimed } = state;
  state.lobbies = new Map((await deps.ports.listLobbies()).map((lobby) => [lobby.id, lobby]));
  const nowMs = deps.clock.nowMs();
  for (const [lobbyId, { match }] of rooms) {
    const lobby = state.lobbies.get(lobbyId);
    match.isShown = lobby?.isShown ?? false;
    followSchedule(match, lobby, nowMs);
  }
  await expelBanned(state);
  preparing.clear();
  await takeOver(state);
  const isWanted = (lobby: GameLobby | undefined) =>
    lobby !== undefined && isLobbyOpen(lobby, nowMs) && !state.isLeaving;
  for (const lobby of state.lobbies.values()) {
    if (isWanted(lobby) && !rooms.has(lobby.id) && !state.isStopped) await openLobby(state, lobby);
  }
  for (const lobbyId of unclaimed) if (!isWanted(state.lobbies.get(lobbyId))) giveUp(state, lobbyId);
}

/** While other processes leave, looks for their matches between the checks. */
export async function watchPeers(state: LobbyRooms): Promise<void> {
  const { clock } = state.deps;
  const untilMs = clock.monotonicMs() + ROOM_LIMITS.takeOverWatchMs;
  while (state.isPeerLeaving && !state.isStopped && clock.monotonicMs() < untilMs) {
    await pause(clock, ROOM_LIMITS.takeOverCheckMs);
    await takeOver(state);
  }
}

function followSchedule(match: Match, lobby: GameLobby | undefined, nowMs: number): void {
  if (!lobby || !isLobbyOpen(lobby, nowMs)) {
    announceClosing(match, ROOM_LIMITS.lockedNoticeSeconds);
    return;
  }
  if (lobby.isElsewhere) announceClosing(match, ROOM_LIMITS.closingNoticeSeconds);
  const closingMs = closesAtMs(lobby, nowMs);
  if (closingMs === undefined) return;
  const secondsLeft = (closingMs - nowMs) / 1000;
  if (secondsLeft <= ROOM_LIMITS.closingNoticeSeconds) announceClosing(match, secondsLeft);
}

/** A ban ends the user's current game; the rules for leaving decide what is refunded. */
async function expelBanned(state: LobbyRooms): Promise<void> {
  const open = listOpenRooms(state);
  const userIds = [...new Set(open.flatMap(({ match }) => listSeated(match.roster)))];
  if (userIds.length === 0) return;
  for (const userId of await state.deps.ports.findBanned(userIds)) {
    for (const room of open) room.expel(userId, BAN_REASON);
  }
}

async function takeOver(state: LobbyRooms): Promise<void> {
  const { matches, isNearby } = await state.deps.ports.takeOver();
  state.isPeerLeaving = isNearby;
  for (const arriving of matches) await resume(state, arriving);
}

/** A match that cannot continue is refunded. */
async function resume(state: LobbyRooms, arriving: ArrivingMatch): Promise<void> {
  const { deps, lobbies } = state;
  const { lobby, origin } = arriving;
  try {
    lobbies.set(lobby.id, lobby);
    startRoom(state, arriving);
  } catch (error) {
    deps.logger.error(
      { code: 'MATCH_NOT_RESUMED', err: error, matchId: origin.id },
      'could not go on with a match',
    );
    await deps.ports.abandonMatch(origin.id, lobby.id);
  }
}

/** A lobby that cannot be opened stays offline until the next check and does not hold up the others. */
async function openLobby(state: LobbyRooms, lobby: GameLobby): Promise<void> {
  const { preparing, unclaimed } = state;
  const { ports, rules, logger } = state.deps;
  const { id: lobbyId } = lobby;
  try {
    if (!(await ports.takeLease(lobbyId))) return;
    unclaimed.add(lobbyId);
    const spill = await ports.readSpill(lobbyId);
    const origin = await ports.prepareMatch(lobby, rulesOfLobby(rules, lobby));
    if (!origin) {
      preparing.add(lobbyId);
      return;
    }
    // The lobby may have closed meanwhile, or this process may be stopping. The lease is then given up.
    if (state.isStopped || state.isLeaving || !findOpenLobby(state, lobbyId).ok) return;
    startRoom(state, { lobby, origin, spill });
    unclaimed.delete(lobbyId);
  } catch (error) {
    logger.error({ code: 'LOBBY_NOT_OPENED', err: error, lobbyId }, 'could not open a lobby');
  }
}

function startRoom(state: LobbyRooms, start: RoomStart): void {
  const { rooms, deps } = state;
  const { lobby, origin } = start;
  if (state.isStopped || rooms.has(lobby.id)) throw new Error(`There can be no room for ${lobby.id}`);
  try {
    rooms.set(lobby.id, openRoom(roomHostOf(state), start));
  } catch (error) {
    giveUp(state, lobby.id);
    throw error;
  }
  deps.logger.info({ lobbyId: lobby.id, matchId: origin.id }, 'room opened');
}

/** The lobby has no room here, and will not have one soon. */
function giveUp(state: LobbyRooms, lobbyId: LobbyId): void {
  state.unclaimed.delete(lobbyId);
  releaseLease(state, lobbyId);
}
