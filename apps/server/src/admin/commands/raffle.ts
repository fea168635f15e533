import { count, desc, eq, sql } from 'drizzle-orm';
import { raffleDays, raffleEntries } from '../../platform/database/social.ts';
import { readRaffleDay } from '../../social/raffle.ts';
import { drawWinners } from '../../social/raffle-rule.ts';
import { type Command, defineRead, Refusal, UsageError } from '../command.ts';
import { showFields, showTable } from '../show.ts';

const MAX_DAYS = 100;

const listDays = defineRead({
  name: 'raffle list',
  about: `Lists the raffles of the last ${MAX_DAYS} days, newest first.`,
  positionals: [],
  options: {},
  read: async ({ admin: { db } }) => {
    const rows = await db
      .select({
        day: raffleDays.day,
        closedAt: raffleDays.closedAt,
        drawnAt: raffleDays.drawnAt,
        blockhash: raffleDays.blockhash,
        entries: count(raffleEntries.userId),
        winners: sql<string>`count(*) filter (where ${raffleEntries.result} = 'won')`,
      })
      .from(raffleDays)
      .leftJoin(raffleEntries, eq(raffleEntries.day, raffleDays.day))
      .groupBy(raffleDays.day)
      .orderBy(desc(raffleDays.day))
      .limit(MAX_DAYS);
    return showTable(
      rows.map(({ day, entries, winners, closedAt, drawnAt, blockhash }) => ({
        day,
        entries,
        winners: Number(winners),
        closed: closedAt,
        drawn: drawnAt,
        blockhash,
      })),
      'Nobody has entered a raffle yet.',
    );
  },
});

const showDay = defineRead({
  name: 'raffle show',
  about:
    'Shows the raffle of a day: who entered, the block that decided, and whether the winners follow from it.',
  positionals: ['day'],
  options: {},
  read: async ({ admin, positionals: [day] }) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day!)) throw new UsageError(`A day is written 2026-03-31, not "${day}".`);
    const raffle = await readRaffleDay(admin, day!);
    if (!raffle) throw new Refusal(`There was no raffle on ${day}.`);
    const { entries, winners, blockhash, winnersPerDay, slot, drawnAt, rule } = raffle;
    const due = blockhash === null ? undefined : drawWinners(blockhash, entries, winnersPerDay);
    const isRight = due && due.toSorted().join() === winners.toSorted().join();
    const shown = showFields({
      day: day!,
      drawn: drawnAt,
      slot,
      blockhash,
      winnersPerDay,
      entries: entries.length,
      winners: winners.length,
      proof:
        isRight === undefined ? 'not drawn yet' : isRight ? 'the winners follow from the block' : 'WRONG',
      rule,
    });
    const lists = [
      ...winners.map((wallet) => `won      ${wallet}`),
      ...entries.map((wallet) => `entered  ${wallet}`),
    ];
    return { data: { ...raffle, isRight: isRight ?? null }, lines: [...shown.lines, ...lists] };
  },
});

export const RAFFLE_COMMANDS: readonly Command[] = [listDays, showDay];
