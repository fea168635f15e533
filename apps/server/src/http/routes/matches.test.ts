import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { entryId, lobbyId, type MatchId, matchId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import {
  ENTRIES_PER_PAGE,
  FACTS_PATH,
  listMatches,
  RECORDING_PATH,
  readMatch,
} from '@engulf/protocol/http/matches';
import { commitmentOf, keysUpTo, lastSecret, numberedKey, secretOf, toHex } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { NO_BOND, rulesText, writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { type Rules, standardRules as rules } from '@engulf/sim/rules';
import { openRecording } from '@engulf/verify/open-recording';
import { verifyMatch } from '@engulf/verify/verify-match';
import { eq, inArray, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { newLobby } from '../../../testing/new-lobby.ts';
import { newUser } from '../../../testing/new-user.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { createEpochs } from '../../matches/epochs.ts';
import { commitMatch, nameTarget, startMatch } from '../../matches/match-states.ts';
import { countEntries, readEntries } from '../../matches/read-matches.ts';
import { createRecordings } from '../../matches/recordings.ts';
import type { Context } from '../../platform/context.ts';
import { entries, matchEpochs } from '../../platform/database/games.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { users } from '../../platform/database/people.ts';
import { openFolderStorage } from '../../platform/storage/storage.ts';
import { renderMatchCard } from '../../share/render-card.ts';
import { serveReplayPage } from '../pages/replay-page.ts';
import { registerMatches } from './matches.ts';

vi.mock('../../share/render-card.ts', { spy: true });
vi.mock('../../matches/read-matches.ts', { spy: true });

let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
const folder = mkdtempSync(join(tmpdir(), 'engulf-matches-'));
const lobby = lobbyId(randomUUID());
const secret = numberedKey(5);
const logged: string[] = [];
let nowMs = Date.now();

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, {
    storage: openFolderStorage(folder),
    // What was asked for a moment ago is remembered, however busy the machine is.
    nowMs: () => nowMs,
    logger: pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) }),
  });
  await newLobby(database.db, { id: lobby, name: 'Puddle <&>' });
  const { site, ...created } = await createTestApp(context, { RATE_LIMIT_SCALE: '1' });
  app = created.app;
  registerMatches(app, context);
  writeFileSync(join(folder, 'replay.html'), '<head><!-- about:start -->x<!-- about:end --></head>');
  await serveReplayPage(app, context, { webFolder: folder, site });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string) => app.inject({ method: 'GET', url });

async function commit(playedBy: Rules = rules) {
  const id = matchId(randomUUID());
  const commitment = commitmentOf(secretOf(lastSecret(secret), 0));
  await commitMatch(context, {
    id,
    lobbyId: lobby,
    commitment: toHex(commitment),
    secret: toHex(secret),
    rules: rulesText(playedBy),
  });
  await nameTarget(context, id, 7n);
  return { id, commitment };
}

test('a running match shows its commitment and nothing that would help a player', async () => {
  const { id, commitment } = await commit();
  await startMatch(context, { id, lobbyId: lobby });
  const recordings = createRecordings(context);
  recordings.recordPart(id, 'header', new Uint8Array(9));
  const shown = await get(readMatch.path.replace(':id', id));
  const { data } = readMatch.answer.parse(shown.json());
  expect(data).toMatchObject({
    state: 'running',
    secret: null,
    finalHash: null,
    entries: [],
    targetSlot: '7',
  });
  expect(data.commitment).toBe(toHex(commitment));
  expect(data.published).toBeNull();
  const list = await get(`${listMatches.path}?lobbyId=${lobby}`);
  expect(listMatches.answer.parse(list.json()).data.data.map((match) => match.id)).toContain(id);
  for (const { body } of [shown, list]) expect(body).not.toContain(toHex(secret));
  expect(logged.join('')).not.toContain(toHex(secret));
  const recording = await get(RECORDING_PATH.replace(':id', id));
  const facts = await get(FACTS_PATH.replace(':id', id));
  for (const closed of [recording, facts]) {
    expect([closed.statusCode, closed.json().error]).toEqual([409, 'MATCH_NOT_ENDED']);
  }
});

/** Epochs of four seconds: nothing is public any sooner for that. */
const quickRules = { ...rules, epochs: { seconds: 4 } };
const MINUTE = 60_000;

describe('a match that runs', () => {
  /** Plays with one player, in and out of the storage as a game process does it, at ten minutes to a second. */
  async function playOn() {
    const { id, commitment } = await commit(quickRules);
    await startMatch(context, { id, lobbyId: lobby });
    const recordings = createRecordings(context);
    const epochs = createEpochs(context);
    const writing: Promise<void>[] = [];
    const header = { matchId: id, commitment, publicPart: null, spill: 0n, rules: quickRules, bond: NO_BOND };
    recordings.recordPart(id, 'header', writeHeader(header));
    const key = keysUpTo(lastSecret(secret), null);
    const match = startRecordedMatch({ key, rules: quickRules }, (segment) =>
      writing.push(recordings.recordPart(id, 'segment', segment).then((stored) => epochs.note(id, stored!))),
    );
    const play = async (ticks: number) => {
      for (let tick = 0; tick < ticks; tick++) stepRecorded(match);
      await Promise.all(writing);
    };
    return { id, match, recordings, play };
  }

  async function newEntry(matchId: MatchId, changes: Partial<typeof entries.$inferInsert>) {
    const { id: userId } = await newUser(database.db);
    const id = entryId(randomUUID());
    const about = { id, userId, lobbyId: lobby, matchId, paymentSessionId: paymentSessionId(randomUUID()) };
    const money = { state: 'playing' as const, entryFee: 0n, stake: 7n };
    await database.db.insert(entries).values({ ...about, ...money, ...changes });
    return id;
  }

  const shownOf = async (id: MatchId) =>
    readMatch.answer.parse((await get(readMatch.path.replace(':id', id))).json()).data;
  const recordingOf = (id: MatchId) => get(RECORDING_PATH.replace(':id', id));
  const ago = (ms: number) => new Date(nowMs - ms);

  test('becomes public epoch by epoch, ten minutes after each, and never sooner', async () => {
    const { id, match, recordings, play } = await playOn();
    applyRecorded(match, { type: 'join', stake: 7n });
    await play(100);
    const isClosed = async () => {
      expect((await shownOf(id)).published).toBeNull();
      for (const path of [RECORDING_PATH, FACTS_PATH])
        expect((await get(path.replace(':id', id))).statusCode).toBe(409);
    };
    await isClosed();
    nowMs += 10 * MINUTE - 1;
    await isClosed();
    // The second epoch ends just before the first becomes public.
    await play(100);
    nowMs += 1;
    const { published, state, secret: whole, finalHash } = await shownOf(id);
    expect({ state, whole, finalHash }).toEqual({ state: 'running', whole: null, finalHash: null });
    expect(published).toMatchObject({ tick: 100, secret: toHex(secretOf(lastSecret(secret), 0)) });
    const answer = await recordingOf(id);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-cache',
      etag: `"${published!.hash}"`,
      'content-length': String(published!.recordingBytes),
    });
    const opened = await openRecording(new Uint8Array(answer.rawPayload), { isRunning: true });
    expect(opened.ok && opened.value.end.finalTick).toBe(100);
    expect(opened.ok && toHex(opened.value.finalHash)).toBe(published!.hash);
    const later = [1, 2, 255].map((epoch) => toHex(secretOf(lastSecret(secret), epoch)));
    const bodies = [
      await get(readMatch.path.replace(':id', id)),
      await get(`${listMatches.path}?lobbyId=${lobby}`),
    ];
    for (const { body } of bodies) for (const unknown of later) expect(body).not.toContain(unknown);
    for (const unknown of later) expect(answer.rawPayload.toString('hex')).not.toContain(unknown);

    nowMs += 10 * MINUTE - 2;
    expect((await shownOf(id)).published).toMatchObject({ tick: 100 });
    nowMs += 1;
    expect((await shownOf(id)).published).toMatchObject({ tick: 200, secret: later[0] });

    applyRecorded(match, { type: 'end', reason: 'closed' });
    finishRecording(match);
    await recordings.close(id, { finalTick: 200, spillAfter: 0n, isOurs: async () => true });
    expect(await shownOf(id)).toMatchObject({ state: 'ended', secret: later[0], published: null });
    expect(await database.db.select().from(matchEpochs).where(eq(matchEpochs.matchId, id))).toEqual([]);
  });

  test('shows entries as they were ten minutes ago, and checks out as far as it is public', async () => {
    const { id, match, play } = await playOn();
    const early = await newEntry(id, { startedAt: ago(0) });
    const player = applyRecorded(match, { type: 'join', stake: 7n, entry: early });
    applyRecorded(match, { type: 'disconnect', player: (player.ok && player.player) as PlayerId });
    await play(300);
    expect(match.world.players.livingCount).toBe(0);
    const forfeit = { state: 'ended', outcome: 'forfeit', endedAt: ago(0), payoutAmount: 7n } as const;
    await database.db.update(entries).set(forfeit).where(eq(entries.id, early));
    nowMs += 10 * MINUTE;
    const playing = await newEntry(id, { startedAt: ago(9 * MINUTE) });
    const known = await newEntry(id, { startedAt: ago(11 * MINUTE) });
    const recent = { state: 'ended', outcome: 'cashout', payoutAmount: 9n } as const;
    const cashedOut = await newEntry(id, {
      startedAt: ago(11 * MINUTE),
      endedAt: ago(9 * MINUTE),
      ...recent,
    });
    const ofEarly = database.db.select({ id: entries.userId }).from(entries).where(eq(entries.id, early));
    await database.db.update(users).set({ colour: 8 }).where(inArray(users.id, ofEarly));
    const shown = await shownOf(id);
    const colours = new Map(shown.entries.map(({ id: entry, player: { colour } }) => [entry, colour]));
    expect([colours.get(early), colours.get(known)]).toEqual([8, undefined]);
    const outcomes = new Map(shown.entries.map((entry) => [entry.id, [entry.outcome, entry.amount]]));
    expect(outcomes.get(early)).toEqual(['forfeit', '7']);
    for (const hidden of [known, cashedOut]) expect(outcomes.get(hidden)).toEqual([null, null]);
    expect(outcomes.has(playing)).toBe(false);
    expect(shown.entryCount).toBe(3);
    const file = await get(FACTS_PATH.replace(':id', id));
    const facts = readMatch.answer.parse(JSON.parse(gunzipSync(file.rawPayload).toString())).data;
    expect(facts).toEqual(shown);

    const recording = new Uint8Array((await recordingOf(id)).rawPayload);
    const { wrong, soFar, line } = await verifyMatch(shown, recording, undefined);
    expect([wrong, line]).toEqual([undefined, expect.stringContaining('fits in its first 12 s')]);
    expect(soFar!.settled).toEqual(new Map([[early, 7n]]));
    const lie = { ...shown, entries: shown.entries.map((one) => ({ ...one, amount: one.amount && '8' })) };
    expect((await verifyMatch(lie, recording, undefined)).wrong).toMatchObject({ check: 'settlement' });
  });
});

test('an ended match shows its secret, and its recording can be read by anyone and kept', async () => {
  const { id, commitment } = await commit();
  await startMatch(context, { id, lobbyId: lobby });
  const recordings = createRecordings(context);
  const header = { matchId: id, commitment, publicPart: null, spill: 0n, rules, bond: NO_BOND };
  recordings.recordPart(id, 'header', writeHeader(header));
  const match = startRecordedMatch({ key: keysUpTo(lastSecret(secret), null) }, (segment) =>
    recordings.recordPart(id, 'segment', segment),
  );
  applyRecorded(match, { type: 'join', stake: 5n });
  for (let tick = 0; tick < 200; tick++) stepRecorded(match);
  applyRecorded(match, { type: 'end', reason: 'closed' });
  finishRecording(match);
  await recordings.close(id, { finalTick: 200, spillAfter: 0n, isOurs: async () => true });
  const { data } = readMatch.answer.parse((await get(readMatch.path.replace(':id', id))).json());
  const published = toHex(secretOf(lastSecret(secret), 0));
  expect(data).toMatchObject({ state: 'ended', secret: published, finalTick: 200, isCut: false });
  const answer = await get(RECORDING_PATH.replace(':id', id));
  expect(answer.headers).toMatchObject({
    'cache-control': expect.stringContaining('immutable'),
    'content-length': String(data.recordingBytes),
    etag: `"${data.finalHash}"`,
  });
  const opened = await openRecording(new Uint8Array(answer.rawPayload));
  if (!opened.ok) throw new Error(opened.error.problem);
  expect(toHex(opened.value.finalHash)).toBe(data.finalHash);
  expect(opened.value.segmentCount).toBe(2);

  // HEAD asks for no body, so none is read.
  const reading = vi.spyOn(context.storage, 'get');
  const querying = vi.mocked(countEntries).mockClear();
  const asked = await app.inject({ method: 'HEAD', url: RECORDING_PATH.replace(':id', id) });
  expect([asked.statusCode, asked.headers['content-length']]).toEqual([200, String(data.recordingBytes)]);
  const facts = await app.inject({ method: 'HEAD', url: FACTS_PATH.replace(':id', id) });
  expect(facts.statusCode).toBe(200);
  await new Promise((resolve) => setImmediate(resolve));
  expect(reading).not.toHaveBeenCalled();
  expect(querying).not.toHaveBeenCalled();
  reading.mockRestore();

  const page = await get(`/replay/${id}`);
  const cardUrl = /og:image" content="([^"]*)"/.exec(page.body)?.[1];
  const card = await get(new URL(cardUrl!).pathname);
  expect(card.headers['content-type']).toBe('image/png');
  // The width and height in a PNG's header.
  expect([card.rawPayload.readUInt32BE(16), card.rawPayload.readUInt32BE(20)]).toEqual([1200, 630]);
  const again = await Promise.all(Array.from({ length: 5 }, () => get(`/replay/${id}/card.png`)));
  for (const { rawPayload } of again) expect(rawPayload.equals(card.rawPayload)).toBe(true);
  expect(renderMatchCard).toHaveBeenCalledOnce();
});

test('the page of a replay describes its match to other sites, and lets no markup in', async () => {
  const { id } = await commit();
  const page = await get(`/replay/${id}?t=5&player="><script>`);
  expect(page.statusCode).toBe(200);
  expect(page.body).toContain(
    '<meta property="og:title" content="Engulf: a match in Puddle &lt;&amp;&gt;" />',
  );
  expect(page.body).toContain('This match is still running.');
  expect(page.body).not.toContain('og:image');
  expect((await get(`/replay/${id}/card.png`)).statusCode).toBe(404);
  expect(page.body).not.toContain('<script>');
  for (const unknown of [randomUUID(), 'x', '%22%3E%3Cscript%3E']) {
    const { statusCode, body } = await get(`/replay/${unknown}`);
    expect([statusCode, body.includes('there is no such match'), body.includes('<script>')]).toEqual([
      404,
      true,
      false,
    ]);
  }
});

test('a match with many entries shows them in pages; its replay page and card read none of them', async () => {
  const { id } = await commit();
  await startMatch(context, { id, lobbyId: lobby });
  const { id: userId } = await newUser(database.db, { name: 'Winner' });
  const entryCount = 2 * ENTRIES_PER_PAGE + 1;
  await database.db.execute(sql`
    insert into entries (id, user_id, lobby_id, state, payment_session_id, entry_fee, stake, match_id, started_at,
      ended_at, outcome, payout_amount)
    select gen_random_uuid(), ${userId}, ${lobby}, 'ended', gen_random_uuid(), 0, n, ${id}, now() + n * interval '1 s',
      now(), 'cashout', n * 1000000 from generate_series(1, ${entryCount}::int) as n`);
  await createRecordings(context).close(id, { finalTick: 0, spillAfter: 0n, isOurs: async () => true });

  const page = await get(`/replay/${id}`);
  expect(page.body).toContain(`${entryCount} entries`);
  expect(page.body).toContain(`best cash-out ${entryCount} USD`);
  await get(`/replay/${id}/card.png`);
  expect(renderMatchCard).toHaveBeenLastCalledWith(
    expect.objectContaining({ bestCashOut: `${entryCount} USD`, bestPlayer: 'Winner' }),
  );
  expect(readEntries).not.toHaveBeenCalled();

  const pages = await Promise.all(
    [1, 2, 3, 4].map(async (number) => {
      const answer = await get(`${readMatch.path.replace(':id', id)}?page=${number}`);
      return readMatch.answer.parse(answer.json()).data;
    }),
  );
  expect(pages.map((one) => one.entryCount)).toEqual([entryCount, entryCount, entryCount, entryCount]);
  expect(pages.map(({ entries }) => entries.length)).toEqual([ENTRIES_PER_PAGE, ENTRIES_PER_PAGE, 1, 0]);
  const stakes = pages.flatMap(({ entries }) => entries.map(({ stake }) => Number(stake)));
  expect(stakes).toEqual(Array.from({ length: entryCount }, (_, i) => i + 1));

  const file = await get(FACTS_PATH.replace(':id', id));
  const facts = readMatch.answer.parse(JSON.parse(gunzipSync(file.rawPayload).toString())).data;
  expect(facts).toEqual({ ...pages[0], entries: pages.flatMap(({ entries }) => entries) });
  expect(file.rawPayload.length).toBeLessThan(JSON.stringify(facts).length / 3);

  vi.mocked(readEntries).mockClear();
  const first = readMatch.answer.parse((await get(readMatch.path.replace(':id', id))).json()).data;
  expect(first).toEqual(pages[0]);
  // Asked for a moment ago.
  expect(readEntries).not.toHaveBeenCalled();
});

test('the file of a match is cut off, and nothing else, if the database fails while it is read', async () => {
  const { id } = await commit();
  await startMatch(context, { id, lobbyId: lobby });
  await createRecordings(context).close(id, { finalTick: 0, spillAfter: 0n, isOurs: async () => true });
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown) => void uncaught.push(error);
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
  await database.db.execute(sql`alter table entries rename to entries_away`);
  try {
    expect((await get(FACTS_PATH.replace(':id', id))).statusCode).toBe(500);
    expect(uncaught).toEqual([]);
  } finally {
    await database.db.execute(sql`alter table entries_away rename to entries`);
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  }
  expect((await get(FACTS_PATH.replace(':id', id))).statusCode).toBe(200);
});

test('an unknown match and a malformed id are refused', async () => {
  expect((await get(`/api/matches/${randomUUID()}`)).json().error).toBe('MATCH_NOT_FOUND');
  expect((await get(`/api/matches/${randomUUID()}/recording`)).json().error).toBe('MATCH_NOT_FOUND');
  expect((await get('/api/matches/..%2f')).statusCode).toBe(400);
  expect((await get('/api/matches?lobbyId=x')).statusCode).toBe(400);
  expect((await get(`/api/matches/${randomUUID()}?page=0`)).statusCode).toBe(400);
});
