import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { ROOM_LIMITS } from '../limits.ts';
import { announceClosing } from '../match/ending.ts';
import { countSeated } from '../match/roster.ts';
import { type LobbyRooms, listOpenRooms } from './lobby-rooms.ts';
import { pause } from './pause.ts';
import type { OpenRoom } from './room-host.ts';

/** Moves every match to another process; one that none can take is played to its end. */
export async function leaveRooms(state: LobbyRooms): Promise<void> {
  const { deps, rooms, departures } = state;
  state.isLeaving = true;
  if (!(await deps.ports.startLeaving())) return;
  await pause(deps.clock, ROOM_LIMITS.leavingNoticeMs);
  const staying = new Set<OpenRoom>();
  while (rooms.size > 0) {
    // One at a time, so that no match is paused while it waits for its turn.
    for (const room of listOpenRooms(state).toSorted(emptyFirst)) {
      if (staying.has(room) || (await room.moveAway())) continue;
      staying.add(room);
      if (countSeated(room.match.roster) === 0) await room.close(CLOSE_CODES.shutdown);
      else announceClosing(room.match, ROOM_LIMITS.leavingMatchSeconds);
    }
    await pause(deps.clock, ROOM_LIMITS.preparingCheckMs);
  }
  await Promise.all(departures);
}

/** Lobbies without people are not moved but reopened elsewhere, which takes longer. */
function emptyFirst(a: OpenRoom, b: OpenRoom): number {
  return countSeated(a.match.roster) - countSeated(b.match.roster);
}
