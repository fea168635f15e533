const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where a lobby's room is for a page of this origin. On localhost a lobby may name an address of the operator's own machine. */
export function roomEndpoint(
  { baseGame }: { readonly baseGame: string | null },
  gameUrl: string | null,
  own: string,
): string {
  const { origin, hostname, pathname } = new URL(baseGame ?? own);
  const isPathOfOurs = origin === own && pathname !== '/';
  const isUsable = baseGame !== null && (!LOOPBACK.has(hostname) || isPathOfOurs);
  return isUsable ? baseGame : (gameUrl ?? own);
}
