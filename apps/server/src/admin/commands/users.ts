import { and, asc, count, desc, eq, gt, ne } from 'drizzle-orm';
import { closeSessionsOf } from '../../accounts/sessions.ts';
import { entries } from '../../platform/database/games.ts';
import { payouts } from '../../platform/database/money.ts';
import { signInSessions, USER_ROLES, users } from '../../platform/database/people.ts';
import { type Command, defineChange, defineRead } from '../command.ts';
import { requireUser } from '../find-rows.ts';
import { oneOf, wholeNumber } from '../read-values.ts';
import { showDifference, showFields, showTable } from '../show.ts';

const showUser = defineRead({
  name: 'user show',
  about: 'Shows a user, found by wallet, name or id.',
  positionals: ['user'],
  options: {},
  read: async ({ admin: { db, nowMs }, positionals: [text] }) => {
    const user = await requireUser(db, text!);
    const isTheirs = eq(entries.userId, user.id);
    const [played] = await db.select({ count: count() }).from(entries).where(isTheirs);
    const [last] = await db.select().from(entries).where(isTheirs).orderBy(desc(entries.createdAt)).limit(1);
    const [sessions] = await db
      .select({ count: count() })
      .from(signInSessions)
      .where(and(eq(signInSessions.userId, user.id), gt(signInSessions.expiresAt, new Date(nowMs()))));
    const [owed] = await db
      .select({ count: count() })
      .from(payouts)
      .where(and(eq(payouts.userId, user.id), ne(payouts.status, 'completed')));
    return showFields({
      id: user.id,
      name: user.name,
      wallet: user.walletAddress,
      role: user.role,
      accessCode: user.referralCode,
      isRaffleWinner: user.isRaffleWinner,
      joined: user.createdAt,
      banned: user.bannedAt,
      banReason: user.banReason,
      sessions: sessions!.count,
      entries: played!.count,
      lastEntry: last && `${last.id} (${last.state})`,
      payoutsNotCompleted: owed!.count,
    });
  },
});

const listRoles = defineRead({
  name: 'user roles',
  about: 'Lists operators and admins.',
  positionals: [],
  options: {},
  read: async ({ admin: { db } }) => {
    const rows = await db
      .select({ name: users.name, wallet: users.walletAddress, role: users.role, banned: users.bannedAt })
      .from(users)
      .where(ne(users.role, 'player'))
      .orderBy(asc(users.role), asc(users.name));
    return showTable(rows, 'Nobody is an operator or admin. Run: npm run engulf -- user role --help');
  },
});

const setRole = defineChange({
  name: 'user role',
  about: 'Gives a user a role: operator or admin, or player again.',
  notes: [
    'Operators see the console and act on chat, players and lobbies; admins also on money and integrity, and command the',
    'chat. See: npm run engulf -- user roles',
  ],
  positionals: ['user', 'role'],
  options: {},
  prepare: async ({ admin, positionals: [text, roleText] }) => {
    const role = oneOf(roleText!, USER_ROLES, '<role>');
    const user = await requireUser(admin.db, text!);
    const line = showDifference(`role of ${user.name} (${user.walletAddress})`, user.role, role);
    return {
      lines: line ? [line] : [],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await tx.update(users).set({ role }).where(eq(users.id, user.id));
          await note(tx, user.id, { before: user.role, after: role });
        });
      },
    };
  },
});

const setMultiplier = defineChange({
  name: 'user multiplier',
  about: 'Sets the airdrop multiplier of a user, in hundredths: 150 is shown as x1.50.',
  notes: [
    'It says how much a user counts for in an airdrop and changes nothing in the game. Everybody starts with 100.',
  ],
  positionals: ['user', 'hundredths'],
  options: {},
  prepare: async ({ admin, positionals: [text, wanted] }) => {
    const after = wholeNumber(wanted!, '<hundredths>', { min: 0, max: 100_000 });
    const user = await requireUser(admin.db, text!);
    const before = user.multiplierHundredths;
    const line = showDifference(`multiplier of ${user.name}`, String(before), String(after));
    return {
      lines: line ? [line] : [],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await tx.update(users).set({ multiplierHundredths: after }).where(eq(users.id, user.id));
          await note(tx, user.id, { before, after });
        });
      },
    };
  },
});

const banUser = defineChange({
  name: 'user ban',
  about: 'Bans a user: cannot sign in or enter, and is signed out everywhere.',
  notes: [
    'A game that is running ends within seconds, as if the user had left it, and what the user is owed is paid. A seat',
    'that is paid for and not taken is refunded. The user is not told the reason.',
  ],
  positionals: ['user'],
  options: {},
  prepare: async ({ admin, positionals: [text], values }) => {
    const user = await requireUser(admin.db, text!);
    return {
      lines: user.bannedAt ? [] : [`${user.name} (${user.walletAddress}) is banned and signed out`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          const banReason = String(values['reason']);
          const bannedAt = new Date(admin.nowMs());
          await tx.update(users).set({ bannedAt, banReason }).where(eq(users.id, user.id));
          const sessionsClosed = await closeSessionsOf(tx, user.id);
          await note(tx, user.id, { before: 'not banned', after: 'banned', sessionsClosed });
        });
      },
    };
  },
});

const unbanUser = defineChange({
  name: 'user unban',
  about: 'Lifts a ban.',
  positionals: ['user'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const user = await requireUser(admin.db, text!);
    return {
      lines: user.bannedAt ? [`${user.name} (${user.walletAddress}) is no longer banned`] : [],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await tx.update(users).set({ bannedAt: null, banReason: null }).where(eq(users.id, user.id));
          await note(tx, user.id, { before: 'banned', banReason: user.banReason, after: 'not banned' });
        });
      },
    };
  },
});

export const USER_COMMANDS: readonly Command[] = [
  showUser,
  listRoles,
  setRole,
  setMultiplier,
  banUser,
  unbanUser,
];
