import { readServerLog } from '@engulf/trials/server-log';
import type { Member } from './fleet.ts';

type Stay = {
  readonly lobbyId: string;
  readonly matchId: string;
  readonly process: string;
  readonly fromMs: number;
  readonly toMs: number;
};

/** Goes by the logs of all game processes; a process that was killed closed its rooms at that moment. */
export function findRoomOverlaps(games: readonly Member[]): { rooms: number; faults: string[] } {
  const stays = games.flatMap(readStays).toSorted((a, b) => a.fromMs - b.fromMs);
  const faults: string[] = [];
  const last = new Map<string, Stay>();
  for (const stay of stays) {
    const before = last.get(stay.lobbyId);
    // A match that moves stands still before the other process may open it, and is logged as gone after that.
    const isSameMatch = before?.matchId === stay.matchId;
    if (before && !isSameMatch && before.toMs > stay.fromMs) {
      const overlapMs = before.toMs - stay.fromMs;
      faults.push(
        `lobby ${stay.lobbyId} had rooms in ${before.process} and ${stay.process} for ${overlapMs} ms`,
      );
    }
    if (!before || stay.toMs > before.toMs) last.set(stay.lobbyId, stay);
  }
  return { rooms: stays.length, faults };
}

type RoomLine = {
  readonly msg: string;
  readonly lobbyId: string;
  readonly matchId: string;
  readonly time: number;
  readonly pid: number;
  /** Of a room process that has ended. */
  readonly roomPid?: number;
};

function readStays(member: Member): Stay[] {
  const open = new Map<string, { matchId: string; fromMs: number; pid: number }>();
  const stays: Stay[] = [];
  const close = (lobbyId: string, toMs: number) => {
    const room = open.get(lobbyId);
    open.delete(lobbyId);
    const untilMs = Math.min(toMs, member.frozenAtMs ?? toMs);
    if (room) stays.push({ lobbyId, process: member.name, ...room, toMs: untilMs });
  };
  for (const { msg, lobbyId, matchId, time, pid, roomPid } of readServerLog(member.folder) as RoomLine[]) {
    if (msg === 'room opened') open.set(lobbyId, { matchId, fromMs: time, pid });
    if (msg === 'room closed' || msg === 'room moved') close(lobbyId, time);
    if (roomPid !== undefined) {
      for (const [id, room] of [...open]) if (room.pid === roomPid) close(id, time);
    }
  }
  for (const lobbyId of [...open.keys()]) close(lobbyId, member.endedAtMs ?? Number.POSITIVE_INFINITY);
  return stays;
}
