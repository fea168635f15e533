import type { ConsoleView } from '@engulf/protocol/http/console';
import type { UserRow } from '../platform/database/people.ts';
import { hasRole } from './allowed-commands.ts';
import type { View } from './view.ts';
import { auditView } from './views/audit.ts';
import { chatView } from './views/chat.ts';
import { entryView } from './views/entry.ts';
import { integrityView } from './views/integrity.ts';
import { matchesView } from './views/matches.ts';
import { moneyView } from './views/money.ts';
import { nowView } from './views/now.ts';
import { playerView } from './views/player.ts';
import { playersView } from './views/players.ts';
import { switchesView } from './views/switches.ts';

export const VIEWS: { readonly [Name in ConsoleView]: View } = {
  now: nowView,
  money: moneyView,
  players: playersView,
  player: playerView,
  entry: entryView,
  matches: matchesView,
  chat: chatView,
  switches: switchesView,
  integrity: integrityView,
  audit: auditView,
};

/** In the menu of this user. */
export function listViews(user: UserRow): { view: ConsoleView; title: string }[] {
  return (Object.entries(VIEWS) as [ConsoleView, View][])
    .filter(([, { least, isDetail }]) => !isDetail && hasRole(user, least))
    .map(([view, { title }]) => ({ view, title }));
}
