/** A moment of a match that can be shared: `/replay/<match>?t=<seconds>&player=<entry>`. */
export type ReplayLink = {
  readonly matchId: string;
  readonly seconds: number | undefined;
  /** An entry, or `p` and the number of a player in the arena. */
  readonly player: string | undefined;
};

/** Undefined if the address names no match. */
export function readReplayLink(url: URL): ReplayLink | undefined {
  const matchId = /^\/replay\/([0-9a-f-]{36})\/?$/i.exec(url.pathname)?.[1];
  if (matchId === undefined) return undefined;
  const time = url.searchParams.get('t');
  const seconds = time !== null && /^\d{1,7}(\.\d{1,3})?$/.test(time) ? Number(time) : undefined;
  const player = url.searchParams.get('player') ?? undefined;
  return {
    matchId,
    seconds,
    player: player !== undefined && /^[\w-]{1,64}$/.test(player) ? player : undefined,
  };
}

export function replayPath({ matchId, seconds, player }: ReplayLink): string {
  const query = new URLSearchParams();
  if (seconds !== undefined) query.set('t', String(Math.round(seconds * 10) / 10));
  if (player !== undefined) query.set('player', player);
  return `/replay/${matchId}${query.size > 0 ? `?${query}` : ''}`;
}
