import type { UserId } from '@engulf/domain/ids/entity-ids';
import { noPair, type PairEvidence, type PlayerEvidence } from '@engulf/integrity/evidence';
import { lastSecret, secretOf, toHex } from '@engulf/sim/keys';
import {
  applyRecorded,
  finishRecording,
  pointAt,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { eq, inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { notesAbout, REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator } from '../../testing/admin/operator.ts';
import { newUser } from '../../testing/new-user.ts';
import { newWinner, STAKE, startPaidServer } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  enter,
  expireAll,
  newestEntry,
  newPlayer,
  pay,
  payoutsOf,
  verifyAll,
} from '../../testing/players.ts';
import { planMatch, storeMatch } from '../../testing/stored-match.ts';
import { forgetAddresses } from '../entries/entry-states.ts';
import { joinLobby } from '../entries/join-lobby.ts';
import { partKey } from '../matches/recording-parts.ts';
import { entries, matchEpochs, matches } from '../platform/database/games.ts';
import {
  integrityCases,
  integrityEvidence,
  integrityLobbyRules,
  integrityReadings,
} from '../platform/database/integrity.ts';
import { payouts } from '../platform/database/money.ts';
import { users } from '../platform/database/people.ts';
import { readGamesHistory } from '../stats/history.ts';
import { findCases } from './cases.ts';
import { markRead, readNotices } from './notices.ts';
import { createPublicNumbers } from './public-numbers.ts';
import { readMatch, unreadMatches } from './read-match.ts';
import { closeOldReports, reportByName } from './reports.ts';

const { server, context, lobby } = await startPaidServer();
const operator = createOperator(context);

/** A short match of some users, stored as if it had been played. */
async function playShort(ids: readonly UserId[], seconds = 2, rules: Rules = standardRules) {
  const plan = planMatch();
  const segments: Uint8Array[] = [];
  const match = startRecordedMatch({ key: plan.key, rules }, (segment) => segments.push(segment));
  const players = ids.map((id) => {
    const applied = applyRecorded(match, { type: 'join', stake: 1_000_000n, entry: plan.newEntry(id) });
    if (!applied.ok || applied.player === undefined) throw new Error('full');
    return applied.player;
  });
  const ticks = seconds * 25;
  for (let tick = 0; tick < ticks; tick++) {
    for (const [index, player] of players.entries())
      pointAt(match, player, 300 * Math.cos(tick / 20 + index), 200);
    stepRecorded(match);
  }
  applyRecorded(match, { type: 'end', reason: 'closed' });
  finishRecording(match);
  return storeMatch(context, lobby, plan, { segments, finalTick: ticks, rules });
}

/** As if matches had been read in which one gave itself to the other. */
async function plantDumping(giver: UserId, taker: UserId, count = 5): Promise<void> {
  for (let index = 0; index < count; index++) {
    const matchId = await playShort([giver, taker]);
    await context.db.insert(integrityReadings).values({ matchId, readAt: new Date(context.nowMs()) });
    const sums: PairEvidence = {
      ...noPair(giver, taker),
      give: { hits: 2, expected: 0.1 },
      moments: [{ tick: 500, what: 'given' }],
    };
    await context.db
      .insert(integrityEvidence)
      .values({ matchId, actor: giver, partner: taker, readAt: new Date(context.nowMs()), sums });
  }
}

async function caseOf(actor: UserId) {
  const [row] = await context.db.select().from(integrityCases).where(eq(integrityCases.actor, actor));
  return row;
}

describe('a recording', () => {
  test('is read once, into evidence about its players by account', async () => {
    const [one, two] = [await newUser(context.db), await newUser(context.db)];
    const matchId = await playShort([one.id, two.id], 30);
    expect(await unreadMatches(context)).toEqual([matchId]);
    await Promise.all([readMatch(context, matchId), readMatch(context, matchId)]);
    expect(await unreadMatches(context)).toEqual([]);
    const rows = await context.db
      .select()
      .from(integrityEvidence)
      .where(eq(integrityEvidence.matchId, matchId));
    const alone = rows.filter(({ actor, partner }) => actor === partner).map(({ actor }) => actor);
    expect(alone.toSorted()).toEqual([one.id, two.id].toSorted());
    const { hand, seconds } = rows.find(({ actor, partner }) => actor === one.id && partner === one.id)!
      .sums as { hand: { changes: number }; seconds: number };
    expect(seconds).toBeGreaterThan(20);
    expect(hand.changes).toBeGreaterThan(100);
  });

  test('of a match that runs is read as it becomes public, each part once, and says as much in the end', async () => {
    const [one, two] = [await newUser(context.db), await newUser(context.db)];
    const matchId = await playShort([one.id, two.id], 30, { ...standardRules, epochs: { seconds: 10 } });
    const ofMatch = eq(integrityEvidence.matchId, matchId);
    const alone = async () => {
      const rows = await context.db.select().from(integrityEvidence).where(ofMatch);
      const found = rows.find(({ actor, partner }) => actor === one.id && partner === one.id)!;
      const { seconds, hand } = found.sums as PlayerEvidence;
      return { seconds, ticks: hand.ticks };
    };
    await readMatch(context, matchId);
    const inOneGo = await alone();
    await context.db.delete(integrityEvidence).where(ofMatch);
    await context.db.delete(integrityReadings).where(eq(integrityReadings.matchId, matchId));

    const isMatch = eq(matches.id, matchId);
    const [ended] = await context.db.select().from(matches).where(isMatch);
    await context.db.update(matches).set({ endedAt: null, secret: null, partCount: null }).where(isMatch);
    const publish = async (epoch: number) => {
      const known = lastSecret(Buffer.from(ended!.secret!, 'hex'));
      await context.db.insert(matchEpochs).values({
        matchId,
        epoch,
        secret: toHex(secretOf(known, epoch)),
        tick: 250 * (epoch + 1),
        partCount: 1 + 2 * (epoch + 1),
        bytes: 1,
        chain: '',
        endedAt: new Date(context.nowMs() - 600_000),
      });
    };
    expect(await unreadMatches(context)).toEqual([]);
    for (const epoch of [0, 1]) {
      await publish(epoch);
      expect(await unreadMatches(context)).toEqual([matchId]);
      await Promise.all([readMatch(context, matchId), readMatch(context, matchId)]);
      expect(await unreadMatches(context)).toEqual([]);
      const { seconds } = await alone();
      expect(seconds).toBe(10 * (epoch + 1));
      await readMatch(context, matchId);
      expect((await alone()).seconds).toBe(seconds);
    }
    await context.db.delete(matchEpochs).where(eq(matchEpochs.matchId, matchId));
    await context.db.update(matches).set(ended!).where(isMatch);
    expect(await unreadMatches(context)).toEqual([matchId]);
    await readMatch(context, matchId);
    expect(await alone()).toEqual(inOneGo);
    expect(await unreadMatches(context)).toEqual([]);
    const [reading] = await context.db
      .select()
      .from(integrityReadings)
      .where(eq(integrityReadings.matchId, matchId));
    expect(reading).toMatchObject({ problem: null, nextPart: null, carry: null });
  });

  test('that makes the reader fail is left alone, so that others are read', async () => {
    const user = await newUser(context.db);
    const matchId = await playShort([user.id]);
    await context.db
      .update(matches)
      .set({ secret: '00'.repeat(32) })
      .where(eq(matches.id, matchId));
    await readMatch(context, matchId);
    const [reading] = await context.db
      .select()
      .from(integrityReadings)
      .where(eq(integrityReadings.matchId, matchId));
    expect(reading?.problem).toBe('the reader fails: the secret is not the one of this recording');
    expect(await unreadMatches(context)).toEqual([]);
  });

  test('of which a part is lost, or of which nothing is left to read, keeps no other from being read', async () => {
    const players = [(await newUser(context.db)).id, (await newUser(context.db)).id];
    const lost = await playShort(players, 12);
    await context.storage.remove(partKey(lost, 1));
    expect(await unreadMatches(context)).toEqual([lost]);
    await readMatch(context, lost);
    expect(await unreadMatches(context)).toEqual([]);
    const [row] = await context.db
      .select()
      .from(integrityReadings)
      .where(eq(integrityReadings.matchId, lost));
    expect(row!.problem).toContain('missing');

    // Killed at the end of an epoch that was read while nobody had noticed.
    const cut = await playShort(players, 12);
    const [match] = await context.db.select().from(matches).where(eq(matches.id, cut));
    const reading = {
      matchId: cut,
      readAt: new Date(context.nowMs()),
      nextPart: match!.partCount,
      carry: '',
    };
    await context.db.insert(integrityReadings).values(reading);
    expect(await unreadMatches(context)).toEqual([cut]);
    await readMatch(context, cut);
    expect(await unreadMatches(context)).toEqual([]);
  });

  test('that cannot be read is not tried again and again', async () => {
    const user = await newUser(context.db);
    const matchId = await playShort([user.id]);
    await context.storage.put(`recordings/${matchId}/1`, new Uint8Array(80), 'x');
    await readMatch(context, matchId);
    const [reading] = await context.db
      .select()
      .from(integrityReadings)
      .where(eq(integrityReadings.matchId, matchId));
    expect(reading?.problem).toBe('not a frame of a recording');
    expect(await unreadMatches(context)).toEqual([]);
  });
});

describe('a case', () => {
  test('is opened for the giver, not for who was given to, and shows words and moments', async () => {
    const [giver, taker] = [await newUser(context.db), await newUser(context.db)];
    await plantDumping(giver.id, taker.id);
    await context.db
      .update(entries)
      .set({ traitsHash: 'the same' })
      .where(inArray(entries.userId, [giver.id, taker.id]));
    await findCases(context, 0.01);
    await findCases(context, 0.01);
    const found = await context.db.select().from(integrityCases).where(eq(integrityCases.actor, giver.id));
    expect(found).toHaveLength(1);
    expect(await caseOf(taker.id)).toBeUndefined();
    expect((await operator.run('integrity', 'list')).output).toContain(giver.name);
    const { output } = await operator.run('integrity', 'show', found[0]!.id);
    expect(output).toContain('Both used a browser of the same kind and language (known for 90 days)');
    expect(output).toContain(`Was eaten by ${taker.name} without running 10 times`);
    expect(output).toMatch(/given {4}\/replay\/[0-9a-f-]{36}\?t=17&player=[0-9a-f-]{36}/);
  });

  test('that is acted on holds payouts, warns, and keeps the two apart', async () => {
    const [winner, other] = [await newWinner(server, lobby), await newPlayer(server)];
    await plantDumping(winner.user.id, other.user.id);
    await findCases(context, 0.01);
    const row = (await caseOf(winner.user.id))!;
    const dry = await operator.run('integrity', 'act', row.id, '--hold', '--dry-run', ...REASON);
    expect(dry.code).toBe(0);
    expect((await caseOf(winner.user.id))!.state).toBe('open');
    const acted = await operator.run('integrity', 'act', row.id, '--hold', '--apart', '--warn', ...REASON);
    expect(acted).toMatchObject({ code: 0, errors: '' });
    const [payout] = await context.db.select().from(payouts).where(eq(payouts.userId, winner.user.id));
    expect(payout!.heldAt).not.toBeNull();
    expect((await notesAbout(server, row.id)).at(-1)).toMatchObject({
      action: 'integrity act',
      reason: 'a test',
    });
    expect((await readNotices(context, winner.user.id)).warnings).toHaveLength(1);

    await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    const request = { lobbyId: lobby.id, lobbyCode: undefined };
    expect((await joinLobby(context, winner.user, request)).ok).toBe(true);
    expect(await joinLobby(context, other.user, request)).toMatchObject({ error: { code: 'KEPT_APART' } });

    await operator.run('integrity', 'appeal', row.id, ...REASON);
    await operator.run('integrity', 'dismiss', row.id, ...REASON);
    const [released] = await context.db.select().from(payouts).where(eq(payouts.userId, winner.user.id));
    expect(released!.heldAt).toBeNull();
    expect((await joinLobby(context, other.user, request)).ok).toBe(true);
  });

  test('that keeps two apart does so also if one of them pays late, for a seat that was given up', async () => {
    const [late, other] = [await newPlayer(server), await newPlayer(server)];
    await plantDumping(late.user.id, other.user.id);
    await findCases(context, 0.01);
    await operator.run('integrity', 'act', (await caseOf(late.user.id))!.id, '--apart', ...REASON);
    await ask(context, late.user, lobby);
    server.advance(121_000);
    await expireAll(context);
    await enter(context, other.user, other.wallet, lobby);
    await confirm(context, late.user, lobby, await pay(context, late.wallet, lobby));
    await verifyAll(context);
    expect(await newestEntry(context, late.user)).toMatchObject({ state: 'expired' });
    expect(await payoutsOf(context, late.wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('that is dismissed undoes nothing that another case asks for, and lifts no limit of payouts', async () => {
    const [winner, other] = [await newWinner(server, lobby), await newPlayer(server)];
    await plantDumping(winner.user.id, other.user.id);
    await plantDumping(other.user.id, winner.user.id);
    await findCases(context, 0.01);
    const [one, two] = [(await caseOf(winner.user.id))!, (await caseOf(other.user.id))!];
    for (const options of [
      ['act', one.id, '--hold', '--apart'],
      ['act', two.id, '--hold', '--apart', '--partner-too'],
    ])
      expect(await operator.run('integrity', ...options, ...REASON)).toMatchObject({ code: 0 });
    const payout = async () =>
      (await context.db.select().from(payouts).where(eq(payouts.userId, winner.user.id)))[0]!;
    await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    expect((await ask(context, winner.user, lobby)).ok).toBe(true);

    const { output } = await operator.run('integrity', 'dismiss', one.id, ...REASON);
    expect(output).not.toContain('is released');
    expect(await payout()).toMatchObject({ holdReason: `integrity case ${two.id}` });
    expect(await ask(context, other.user, lobby)).toMatchObject({ error: { code: 'KEPT_APART' } });

    await operator.run('integrity', 'dismiss', two.id, ...REASON);
    expect(await payout()).toMatchObject({ heldAt: null, releasedAt: null });
    expect((await ask(context, other.user, lobby)).ok).toBe(true);
  });

  test('that was dismissed comes back only with new evidence', async () => {
    const [giver, taker] = [await newUser(context.db), await newUser(context.db)];
    await plantDumping(giver.id, taker.id);
    await findCases(context, 0.01);
    await operator.run('integrity', 'dismiss', (await caseOf(giver.id))!.id, ...REASON);
    await findCases(context, 0.01);
    expect((await caseOf(giver.id))!.state).toBe('dismissed');
    await plantDumping(giver.id, taker.id);
    await findCases(context, 0.01);
    const states = await context.db.select().from(integrityCases).where(eq(integrityCases.actor, giver.id));
    expect(states.map(({ state }) => state).toSorted()).toEqual(['dismissed', 'open']);
  });
});

test('the public number of cases grows when a month is over, and not as soon as one is opened', async () => {
  const [giver, taker] = [await newUser(context.db), await newUser(context.db)];
  const sumAt = async (nowMs: number) =>
    (await createPublicNumbers({ db: context.db, nowMs: () => nowMs })()).reduce(
      (sum, { opened }) => sum + opened,
      0,
    );
  const now = new Date(context.nowMs());
  const nextMonthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const [nowBefore, laterBefore] = [await sumAt(nextMonthMs - 1), await sumAt(nextMonthMs)];
  await plantDumping(giver.id, taker.id);
  await findCases(context, 0.01);
  expect(await caseOf(giver.id)).toMatchObject({ state: 'open' });
  expect([await sumAt(nextMonthMs - 1), await sumAt(nextMonthMs)]).toEqual([nowBefore, laterBefore + 1]);
});

describe('a report', () => {
  test('counts once per match, only among those who played, and is answered', async () => {
    const [reporter, cheat, stranger] = [
      await newUser(context.db),
      await newUser(context.db),
      await newUser(context.db),
    ];
    await plantDumping(cheat.id, reporter.id);
    const report = (player: string) =>
      reportByName(context, reporter.id, { matchId: null, player, reason: 'teaming' });
    expect(await report(cheat.name)).toBe('accepted');
    expect(await report(cheat.name.toUpperCase())).toBe('repeated');
    expect(await report(reporter.name)).toBe('self');
    expect(await report(stranger.name)).toBe('notPlayed');
    await findCases(context, 0.01);
    expect((await readNotices(context, reporter.id)).reports).toEqual({ waiting: 1, acted: 0, dismissed: 0 });
    await operator.run('integrity', 'act', (await caseOf(cheat.id))!.id, '--warn', ...REASON);
    expect((await readNotices(context, reporter.id)).reports).toEqual({ waiting: 0, acted: 1, dismissed: 0 });
    await markRead(context, reporter.id);
    expect((await readNotices(context, reporter.id)).reports).toEqual({ waiting: 0, acted: 0, dismissed: 0 });
  });

  test('is answered alike, and at the same time, with a case that was dismissed and without any', async () => {
    const [reporter, suspect, other] = [
      await newUser(context.db),
      await newUser(context.db),
      await newUser(context.db),
    ];
    await plantDumping(suspect.id, reporter.id);
    await playShort([reporter.id, other.id, suspect.id]);
    for (const player of [suspect.name, other.name])
      expect(await reportByName(context, reporter.id, { matchId: null, player, reason: 'script' })).toBe(
        'accepted',
      );
    await findCases(context, 0.01);
    await operator.run('integrity', 'dismiss', (await caseOf(suspect.id))!.id, ...REASON);
    const inDays = (days: number) => ({ ...context, nowMs: () => context.nowMs() + days * 86_400_000 });
    await markRead(inDays(13), reporter.id);
    const { reports: soon } = await readNotices(inDays(13), reporter.id);
    expect(soon).toEqual({ waiting: 2, acted: 0, dismissed: 0 });
    const { reports: later } = await readNotices(inDays(15), reporter.id);
    expect(later).toEqual({ waiting: 0, acted: 0, dismissed: 2 });
    await closeOldReports(inDays(15));
    await markRead(inDays(15), reporter.id);
    const { reports: read } = await readNotices(inDays(15), reporter.id);
    expect(read).toEqual({ waiting: 0, acted: 0, dismissed: 0 });
  });

  test('alone opens no case, and a day has a limit', async () => {
    const reporter = await newUser(context.db);
    const others = await Promise.all(Array.from({ length: 11 }, () => newUser(context.db)));
    await playShort([reporter.id, ...others.map(({ id }) => id)]);
    const outcomes = await Promise.all(
      others.map(({ name }) =>
        reportByName(context, reporter.id, { matchId: null, player: name, reason: 'other' }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(10);
    expect(outcomes).toContain('tooMany');
    await findCases(context, 0.01);
    expect(await caseOf(others[0]!.id)).toBeUndefined();
  });
});

describe('what a lobby asks', () => {
  test('keeps out new accounts, and more accounts of an address than it allows', async () => {
    const [young, old, third] = [await newPlayer(server), await newPlayer(server), await newPlayer(server)];
    const { context: own } = server;
    await own.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    await operator.run(
      'integrity',
      'lobby',
      'Shallows',
      '--account-days',
      '7',
      '--accounts-per-address',
      '1',
      ...REASON,
    );
    const from = (player: typeof young) =>
      joinLobby(own, player.user, {
        lobbyId: lobby.id,
        lobbyCode: undefined,
        client: { address: '203.0.113.77', limitScale: 1 },
        traits: 'firefox linux de',
      });
    expect(await from(young)).toMatchObject({ error: { code: 'ACCOUNT_TOO_NEW', context: { days: 7 } } });
    for (const player of [old, third]) {
      const createdAt = new Date(own.nowMs() - 8 * 86_400_000);
      const [row] = await own.db
        .update(users)
        .set({ createdAt })
        .where(eq(users.id, player.user.id))
        .returning();
      Object.assign(player.user, row);
    }
    expect((await from(old)).ok).toBe(true);
    expect(await from(third)).toMatchObject({ error: { code: 'ADDRESS_ACCOUNTS_LIMIT' } });
    await operator.run('integrity', 'lobby', 'Shallows', ...REASON);
    expect((await from(third)).ok).toBe(true);
  });

  test('lets a large first payout wait, and its player is told', async () => {
    const ask = (...options: string[]) =>
      operator.run('integrity', 'lobby', 'Shallows', ...options, ...REASON);
    const waits = async () => {
      const { user } = await newWinner(server, lobby);
      const { data } = await readGamesHistory(context, user.id, 1);
      return data.data.map(({ waitsFor }) => waitsFor);
    };
    await ask('--first-payout-hours', '24', '--first-payout-multiple', '1');
    // A fee was taken from the price, so it is less than that.
    expect(await waits()).toEqual([null]);
    await context.db.update(integrityLobbyRules).set({ firstPayoutMultiple: 0 });
    expect(await waits()).toEqual(['review']);
    await ask();
    expect(await waits()).toEqual([null]);
  });

  test('hashes of addresses and of what browsers say are forgotten', async () => {
    const read = () =>
      context.db.select({ address: entries.addressHash, traits: entries.traitsHash }).from(entries);
    expect((await read()).some(({ traits }) => traits?.length === 43)).toBe(true);
    expect(JSON.stringify(await read())).not.toContain('firefox');
    await forgetAddresses(context.db, new Date(context.nowMs() + 1));
    expect((await read()).every(({ address, traits }) => address === null && traits === null)).toBe(true);
  });
});
