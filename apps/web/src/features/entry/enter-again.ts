import type { Lobby } from '@engulf/protocol/lobby';
import { type EntryDeps, runEntry } from './entry-flow.ts';

/**
 * Straight into the next game, past the menu: the join ticket. Undefined where the entry popup has to ask for money or
 * a code first, or has to tell why there is no seat.
 */
export async function enterAgain(lobby: Lobby, deps: EntryDeps): Promise<string | undefined> {
  if (lobby.lobbyType !== 'free') return undefined;
  const end = await runEntry({ lobby, lobbyCode: undefined }, deps, () => undefined);
  return end.kind === 'play' ? end.joinTicket : undefined;
}
