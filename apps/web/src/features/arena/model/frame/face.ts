import { avatarUrlOf } from '@engulf/domain/profile/avatar';
import type { ArenaView } from '@engulf/netcode/decode/arena-view';

/** What a player looks like outside the arena: in banners and popups. */
export type Face = {
  /** The player's own picture; null for the default portrait of the name. */
  readonly avatarUrl: string | null;
  /** Index into the palette. */
  readonly colour: number;
};

/** Undefined for a name that has not come into sight. */
export function findFace({ players }: Pick<ArenaView, 'players'>, name: string): Face | undefined {
  for (const player of players.values()) {
    if (player.name !== name) continue;
    const { picture, colour } = player;
    return { avatarUrl: picture === undefined ? null : avatarUrlOf(picture), colour };
  }
  return undefined;
}
