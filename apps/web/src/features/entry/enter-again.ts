import type { Lobby } from '@engulf/protocol/lobby';
import { settings } from '../../shared/settings.ts';
import { type EntryDeps, runEntry } from './entry-flow.ts';

/**
 * Enters the next game without the menu and returns the join ticket. Undefined if the entry popup has to ask for money or
 * a code first, or has to explain why there is no seat. Either way the lobby becomes the selected one, also for a spectator
 * who came another way.
 */
export async function enterAgain(lobby: Lobby, deps: EntryDeps): Promise<string | undefined> {
  settings.write('lobby', lobby.id);
  if (lobby.lobbyType !== 'free') return undefined;
  const end = await runEntry({ lobby, lobbyCode: undefined }, deps, () => undefined);
  return end.kind === 'play' ? end.joinTicket : undefined;
}
