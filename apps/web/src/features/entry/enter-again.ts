import type { Lobby } from '@engulf/protocol/lobby';
import { settings } from '../../shared/settings.ts';
import { type EntryDeps, runEntry } from './entry-flow.ts';

/**
 * Straight into the next game, past the menu: the join ticket. Undefined where the entry popup has to ask for money or
 * a code first, or has to tell why there is no seat. Either way the lobby is the one that the player has chosen now, also
 * for a spectator who came by another way.
 */
export async function enterAgain(lobby: Lobby, deps: EntryDeps): Promise<string | undefined> {
  settings.write('lobby', lobby.id);
  if (lobby.lobbyType !== 'free') return undefined;
  const end = await runEntry({ lobby, lobbyCode: undefined }, deps, () => undefined);
  return end.kind === 'play' ? end.joinTicket : undefined;
}
