import { formatExactAmount } from '@engulf/domain/money/amount';
import type { ConsoleAction, ConsoleCell, ConsoleSection, ConsoleTable } from '@engulf/protocol/http/console';
import { type LobbyRow, tokenOf } from '../lobbies/lobby-rows.ts';
import type { UserRow } from '../platform/database/people.ts';
import { isOffered } from './allowed-commands.ts';

/* How views describe what they found. */

type Tone = 'good' | 'warn' | 'bad' | 'quiet';

export const toned = (text: string, tone: Tone | undefined): ConsoleCell => (tone ? { text, tone } : text);
export const linked = (text: string, to: string): ConsoleCell => ({ text, to });
export const playerLink = (id: string, text: string): ConsoleCell => linked(text, `?view=player&id=${id}`);
export const entryLink = (id: string, text = id.slice(0, 8)): ConsoleCell =>
  linked(text, `?view=entry&id=${id}`);

export function timed(at: Date | null | undefined): ConsoleCell {
  return at ? { text: `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`, at: at.toISOString() } : null;
}

export function money(units: bigint, lobby: LobbyRow): string {
  const token = tokenOf(lobby);
  return `${formatExactAmount(units, token)} ${token.symbol}`;
}

type Column = string | { readonly key: string; readonly label: string; readonly isNumber?: boolean };
type Row = { readonly cells: Record<string, ConsoleCell>; readonly actions?: readonly ConsoleAction[] };

/** A column named by a text has the text as its label. */
export function table(
  title: string,
  columns: readonly Column[],
  rows: readonly Row[],
  more: { readonly empty: string; readonly note?: string; readonly older?: string | undefined },
): ConsoleTable {
  return {
    kind: 'table',
    title,
    columns: columns.map((column) => (typeof column === 'string' ? { key: column, label: column } : column)),
    rows: rows.map(({ cells, actions = [] }) => ({ cells, actions: [...actions] })),
    ...more,
  };
}

export const number = (label: string): Column => ({ key: label, label, isNumber: true });

export function fields(
  title: string,
  values: Record<string, ConsoleCell>,
  actions: readonly ConsoleAction[] = [],
): ConsoleSection {
  return {
    kind: 'fields',
    title,
    fields: Object.entries(values).map(([label, value]) => ({ label, value })),
    actions: [...actions],
  };
}

type Wanted = Pick<ConsoleAction, 'label' | 'command' | 'positionals'> &
  Partial<Pick<ConsoleAction, 'options' | 'asks'>>;

/** Those that the user's role may ask for. */
export function offer(user: UserRow, ...wanted: readonly (Wanted | false)[]): ConsoleAction[] {
  return wanted.flatMap((one) => (one && isOffered(user, one) ? [{ options: {}, asks: [], ...one }] : []));
}
