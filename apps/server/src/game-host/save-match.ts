import { setImmediate as nextTurn } from 'node:timers/promises';
import { writeRecording } from '@engulf/sim/recording-format';
import type { SavedMatch } from '../game/ports.ts';
import type { Context } from '../platform/context.ts';
import { matches } from '../platform/database/games.ts';

/** Writes a match, or overwrites it if it was saved before. The running matches go on between two pieces. */
export async function saveMatch({ db }: Context, match: SavedMatch): Promise<void> {
  const { id, lobbyId, finalTick, worldHash } = match;
  const pieces: string[] = [];
  for (const piece of writeRecording(match.recording)) {
    pieces.push(piece);
    await nextTurn();
  }
  const values = {
    id,
    lobbyId,
    startedAt: new Date(match.startedAtMs),
    endedAt: new Date(match.endedAtMs),
    finalTick,
    worldHash,
    recording: pieces.join(''),
    players: [...match.players],
  };
  await db.insert(matches).values(values).onConflictDoUpdate({ target: matches.id, set: values });
}
