import type { MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import { isUuid } from '@engulf/domain/ids/uuid';
import type { Moment } from '@engulf/integrity/evidence';
import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import { closeSessionsOf } from '../../accounts/sessions.ts';
import { decideCase, evidenceOf, findCase, listCases, noteAppeal } from '../../integrity/cases.ts';
import { reunite, separate, setLobbyRules } from '../../integrity/entry-rules.ts';
import { describeFunders } from '../../integrity/funders.ts';
import { describeLinks } from '../../integrity/links.ts';
import { warn } from '../../integrity/notices.ts';
import { inPlainWords, replayLink } from '../../integrity/plain-words.ts';
import { holdReasonOf, payoutsHeldFor } from '../../integrity/standing-cases.ts';
import { endHold, holdOn, holdPayouts } from '../../money/payouts/payout-states.ts';
import { entries } from '../../platform/database/games.ts';
import { CASE_STATES, type CaseRow } from '../../platform/database/integrity.ts';
import { payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { users } from '../../platform/database/people.ts';
import {
  type AdminContext,
  type Command,
  defineChange,
  defineRead,
  Refusal,
  UsageError,
} from '../command.ts';
import { requireLobby } from '../find-rows.ts';
import { isSet, oneOf, optionalText, wholeNumber } from '../read-values.ts';
import { showTable } from '../show.ts';

const STEPS_PER_SECOND = 25;
const SHOWN_MATCHES = 10;

const list = defineRead({
  name: 'integrity list',
  about: 'Lists cases: who was put forward, those that most players reported first.',
  positionals: [],
  options: {
    state: { type: 'string', value: 'STATE', about: `${CASE_STATES.join(', ')}; open if not given.` },
  },
  read: async ({ admin: { db }, values }) => {
    const state = oneOf(optionalText(values, 'state') ?? 'open', CASE_STATES, '--state');
    const found = await listCases(db, state);
    const names = await namesOf(
      db,
      found.flatMap(({ row }) => [row.actor, row.partner ?? row.actor]),
    );
    const rows = found.map(({ row, reports }) => ({
      case: row.id,
      player: names.get(row.actor)!,
      with: row.partner ? names.get(row.partner)! : '',
      kinds: row.findings.map(({ kind }) => kind).join(', '),
      reporters: reports,
      appealed: row.appealedAt ? 'yes' : '',
      opened: row.openedAt,
    }));
    return showTable(rows, 'There are no such cases.');
  },
});

const show = defineRead({
  name: 'integrity show',
  about: 'Shows a case: its statistics in plain words, the matches, and links to the moments.',
  notes: [
    'A partner is not accused: a case rests on nothing but what its player did. Look at the moments before deciding.',
  ],
  positionals: ['case'],
  options: {},
  read: async ({ admin, positionals: [text] }) => {
    const row = await requireCase(admin.db, text!);
    const { player, partner, words, links, moments, matchCount } = await describeCase(admin, row);
    return {
      data: { ...row, player, partner, words, links, moments },
      lines: [
        `${player}${partner ? `, with ${partner}` : ''}: ${row.state}${row.appealedAt ? ', appealed' : ''}`,
        ...words.map((line) => `  ${line}`),
        ...links.map((line) => `  ${line}`),
        `moments (${matchCount} matches):`,
        ...moments.map(({ what, link }) => `  ${what.padEnd(8)} ${link}`),
        ...(row.reason
          ? [`decided: ${(row.decision ?? []).join(', ') || row.state}, because: ${row.reason}`]
          : []),
      ],
    };
  },
});

export async function describeCase(admin: AdminContext, row: CaseRow) {
  const { db } = admin;
  const names = await namesOf(db, [row.actor, row.partner ?? row.actor]);
  const partner = row.partner ? names.get(row.partner)! : undefined;
  const evidence = (await evidenceOf(db, row)).slice(0, SHOWN_MATCHES);
  const entryOf = await entriesIn(
    db,
    row.actor,
    evidence.map(({ matchId }) => matchId),
  );
  const moments = evidence.flatMap(({ matchId, sums }) =>
    (sums as { readonly moments: readonly Moment[] }).moments.map(({ tick, what }) => ({
      what,
      link: replayLink(matchId, tick, STEPS_PER_SECOND, entryOf.get(matchId) ?? ''),
    })),
  );
  const funders = row.partner && (await describeFunders(db, admin.openChain, [row.actor, row.partner]));
  return {
    player: names.get(row.actor)!,
    partner,
    words: row.findings.map((finding) => inPlainWords(finding, partner)),
    links: [...(await describeLinks(db, row)), ...(funders ? [funders] : [])],
    moments,
    matchCount: evidence.length,
  };
}

const dismiss = defineChange({
  name: 'integrity dismiss',
  about:
    'Closes a case without doing anything. What it rests on counts no more. Payouts that it held are released.',
  positionals: ['case'],
  options: {},
  prepare: async ({ admin, positionals: [text], values }) => {
    const row = await requireCase(admin.db, text!);
    if (row.state === 'dismissed') return { lines: [], apply: async () => undefined };
    const name = (await namesOf(admin.db, [row.actor])).get(row.actor);
    const held = await payoutsHeldFor(admin.db, row);
    return {
      lines: [
        `case ${row.id} about ${name} is dismissed; those who reported are told`,
        ...held.map(({ id, also }) =>
          also ? `payout ${id} stays held for case ${also.id}` : `payout ${id} is released`,
        ),
      ],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          const reason = String(values['reason']);
          await decideCase(tx, row, { state: 'dismissed', done: [], reason }, admin.nowMs());
          await reunite(tx, row);
          const released = await endHoldsOf(tx, row);
          await note(tx, row.id, { before: row.state, after: 'dismissed', released });
        });
      },
    };
  },
});

const act = defineChange({
  name: 'integrity act',
  about: 'Decides a case against its player. Name at least one of --hold, --apart, --warn, --ban.',
  notes: ['Nothing is taken from anybody: what is held stays owed, and a person releases it or not.'],
  positionals: ['case'],
  options: {
    hold: { type: 'boolean', about: 'Hold the payouts that have not been signed, of the player.' },
    apart: { type: 'boolean', about: 'Keep the two out of the same paid lobby.' },
    warn: { type: 'boolean', about: 'Warn the player.' },
    ban: { type: 'boolean', about: 'Ban the player.' },
    'partner-too': {
      type: 'boolean',
      about: 'Hold, warn and ban the partner as well. Only if you have seen it act.',
    },
  },
  prepare: async ({ admin, positionals: [text], values }) => {
    const row = await requireCase(admin.db, text!);
    const done = ['hold', 'apart', 'warn', 'ban'].filter((name) => isSet(values, name));
    if (done.length === 0) throw new UsageError('Name at least one of --hold, --apart, --warn, --ban.');
    const needsPartner = isSet(values, 'apart') || isSet(values, 'partner-too');
    if (needsPartner && !row.partner) throw new Refusal('This case has no partner.');
    const isBoth = isSet(values, 'partner-too');
    const subjects: UserId[] = isBoth ? [row.actor, row.partner!] : [row.actor];
    const names = await namesOf(admin.db, subjects);
    return {
      lines: [`case ${row.id}: ${done.join(', ')} for ${subjects.map((id) => names.get(id)).join(' and ')}`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          const nowMs = admin.nowMs();
          const reason = String(values['reason']);
          const steps = isBoth ? [...done, 'partner too'] : done;
          await decideCase(tx, row, { state: 'acted', done: steps, reason }, nowMs);
          const held = done.includes('hold') ? await holdAll(tx, subjects, row, nowMs) : [];
          if (done.includes('apart')) await separate(tx, [row.actor, row.partner!], row.id, nowMs);
          for (const id of subjects) {
            if (done.includes('warn')) await warn(tx, id, row.id, nowMs);
            if (done.includes('ban')) await ban(tx, id, reason, nowMs);
          }
          await note(tx, row.id, { before: row.state, after: 'acted', done: steps, held });
        });
      },
    };
  },
});

const appeal = defineChange({
  name: 'integrity appeal',
  about:
    'Opens a decided case again because the player asked for it. What was done stays until it is decided anew.',
  positionals: ['case'],
  options: {},
  prepare: async ({ admin, positionals: [text] }) => {
    const row = await requireCase(admin.db, text!);
    return {
      lines: row.state === 'acted' ? [`case ${row.id} is open again`] : [],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await noteAppeal(tx, row, admin.nowMs());
          await note(tx, row.id, { before: row.state, after: 'open' });
        });
      },
    };
  },
});

const lobbyRules = defineChange({
  name: 'integrity lobby',
  about: 'Sets what a paid lobby asks of those who enter. What is not given is not asked.',
  positionals: ['lobby'],
  options: {
    'accounts-per-address': {
      type: 'string',
      value: 'NUMBER',
      about: 'Accounts of one address in the lobby at once.',
    },
    'account-days': { type: 'string', value: 'NUMBER', about: 'The least age of an account.' },
    'free-games': {
      type: 'string',
      value: 'NUMBER',
      about: 'Free games played; with --account-days, either is enough.',
    },
    'first-payout-hours': {
      type: 'string',
      value: 'NUMBER',
      about: "How long somebody's first payout waits if it is large, so that it can be looked at.",
    },
    'first-payout-multiple': {
      type: 'string',
      value: 'NUMBER',
      about: 'It is large from so many times the price on; 5 if not given.',
    },
  },
  prepare: async ({ admin, positionals: [text], values }) => {
    const lobby = await requireLobby(admin.db, text!);
    if (lobby.chainLobbyId === null) throw new Refusal('Only paid lobbies ask for anything.');
    const read = (name: string) => {
      const given = optionalText(values, name);
      return given === undefined ? null : wholeNumber(given, `--${name}`, { min: 1, max: 10_000 });
    };
    const rules = {
      accountsPerAddress: read('accounts-per-address'),
      minAccountDays: read('account-days'),
      minFreeGames: read('free-games'),
      firstPayoutHours: read('first-payout-hours'),
      firstPayoutMultiple: read('first-payout-multiple'),
    };
    return {
      lines: [`lobby "${lobby.name}" asks: ${JSON.stringify(rules)}`],
      apply: async ({ note }) => {
        await admin.db.transaction(async (tx) => {
          await setLobbyRules(tx, lobby.id, rules);
          await note(tx, lobby.id, rules);
        });
      },
    };
  },
});

async function requireCase(db: Database, text: string): Promise<CaseRow> {
  const row = isUuid(text) ? await findCase(db, text) : undefined;
  if (row) return row;
  throw new Refusal(`There is no case "${text}". See: npm run engulf -- integrity list`);
}

async function namesOf(db: Database, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...ids]));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

async function entriesIn(
  db: Database,
  userId: UserId,
  matchIds: readonly MatchId[],
): Promise<Map<MatchId, string>> {
  if (matchIds.length === 0) return new Map();
  const rows = await db
    .select({ id: entries.id, matchId: entries.matchId })
    .from(entries)
    .where(and(eq(entries.userId, userId), inArray(entries.matchId, [...matchIds])))
    .orderBy(asc(entries.startedAt));
  return new Map(rows.map(({ id, matchId }) => [matchId!, id]));
}

async function holdAll(tx: Database, ids: readonly UserId[], row: CaseRow, nowMs: number): Promise<string[]> {
  const open = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.userId, [...ids]), eq(payouts.status, 'pending'), isNull(payouts.heldAt)));
  const wanted = open.map(({ id }) => id);
  return wanted.length === 0 ? [] : holdPayouts(tx, wanted, { reason: holdReasonOf(row), nowMs });
}

/** Returns the payouts that are free now. */
async function endHoldsOf(tx: Database, row: CaseRow): Promise<string[]> {
  const held = await payoutsHeldFor(tx, row);
  for (const { id, also } of held) if (also) await holdOn(tx, [id], holdReasonOf(also));
  const free = held.filter(({ also }) => also === undefined).map(({ id }) => id);
  await endHold(tx, free);
  return free;
}

async function ban(tx: Database, id: UserId, reason: string, nowMs: number): Promise<void> {
  await tx
    .update(users)
    .set({ bannedAt: new Date(nowMs), banReason: reason })
    .where(eq(users.id, id));
  await closeSessionsOf(tx, id);
}

export const INTEGRITY_COMMANDS: readonly Command[] = [list, show, act, dismiss, appeal, lobbyRules];
