import { isUuid } from '@engulf/domain/ids/uuid';
import type { ConsoleChange } from '@engulf/protocol/http/console';
import { inArray } from 'drizzle-orm';
import { Refusal } from '../admin/command.ts';
import { requireUser } from '../admin/find-rows.ts';
import { findCase } from '../integrity/cases.ts';
import type { CaseRow } from '../platform/database/integrity.ts';
import { payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { USER_ROLES, type UserRole, type UserRow } from '../platform/database/people.ts';
import type { SwitchName } from '../platform/switches.ts';

/*
 * Which of the operator's commands the console offers, and to whom. Operators act on chat, players and lobbies; whatever pays,
 * keeps from paying or costs is for admins. Whatever is not named here is for the operator's tool alone.
 */

const MONEY_SWITCHES: readonly SwitchName[] = ['paid-entries-paused', 'payouts-paused'];

const LEAST_ROLES: { readonly [command: string]: UserRole } = {
  'lobby lock': 'operator',
  'lobby unlock': 'operator',
  'lobby drain': 'operator',
  'lobby price': 'admin',
  'user ban': 'operator',
  'user unban': 'operator',
  'chat mute': 'operator',
  'chat unmute': 'operator',
  'chat remove': 'operator',
  'switch set': 'operator',
  'switch clear': 'operator',
  'payouts hold': 'admin',
  'payouts release': 'admin',
  'payouts retry': 'admin',
  'integrity act': 'admin',
  'integrity dismiss': 'admin',
};

export function hasRole({ role }: Pick<UserRow, 'role'>, least: UserRole): boolean {
  return USER_ROLES.indexOf(role) >= USER_ROLES.indexOf(least);
}

type Asked = Pick<ConsoleChange, 'command' | 'positionals'>;

/** Without a look at whom it concerns. */
export function isOffered(user: Pick<UserRow, 'role'>, { command, positionals: [first] }: Asked): boolean {
  const least = Object.hasOwn(LEAST_ROLES, command) ? LEAST_ROLES[command] : undefined;
  if (least === undefined) return false;
  const isAboutMoney = command.startsWith('switch ') && MONEY_SWITCHES.some((name) => name === first);
  return hasRole(user, isAboutMoney ? 'admin' : least);
}

/** Nobody decides about their own money or ban, and operators not about each other. */
export async function mayRun(db: Database, user: UserRow, asked: Asked): Promise<boolean> {
  if (!isOffered(user, asked)) return false;
  const { command, positionals } = asked;
  if (command.startsWith('user ') || /^chat (un)?mute$/.test(command)) {
    const other = await requireUser(db, positionals[0] ?? '');
    return other.id !== user.id && (other.role === 'player' || hasRole(user, 'admin'));
  }
  if (command.startsWith('payouts ')) await refuseOwnPayouts(db, user, positionals);
  if (command.startsWith('integrity ')) await refuseOwnCase(db, user, positionals);
  return true;
}

async function refuseOwnPayouts(db: Database, user: UserRow, ids: readonly string[]): Promise<void> {
  const rows = await db
    .select({ userId: payouts.userId, wallet: payouts.wallet })
    .from(payouts)
    .where(inArray(payouts.id, ids.filter(isUuid)));
  if (rows.some(({ userId, wallet }) => userId === user.id || wallet === user.walletAddress))
    throw new Refusal('This is your own payout: somebody else has to decide about it.');
}

/** A decision holds payouts or releases them. */
async function refuseOwnCase(db: Database, user: UserRow, [id]: readonly string[]): Promise<void> {
  const row = id !== undefined && isUuid(id) ? await findCase(db, id) : undefined;
  if (row && isOwnCase(user, row))
    throw new Refusal('This is your own case: somebody else has to decide about it.');
}

/** Nobody decides about it, or reads it: it says what is looked for. */
export function isOwnCase({ id }: Pick<UserRow, 'id'>, { actor, partner }: CaseRow): boolean {
  return actor === id || partner === id;
}
