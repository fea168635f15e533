import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lobbyId, matchId } from '@engulf/domain/ids/entity-ids';
import { ENTRIES_PER_PAGE, listMatches, RECORDING_PATH, readMatch } from '@engulf/protocol/http/matches';
import { commitmentOf, matchKeyOf, numberedKey, toHex } from '@engulf/sim/keys';
import { rulesText, writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { standardRules as rules } from '@engulf/sim/rules';
import { openRecording } from '@engulf/verify/open-recording';
import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { newLobby } from '../../../testing/new-lobby.ts';
import { newUser } from '../../../testing/new-user.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { commitMatch, nameTarget, startMatch } from '../../matches/match-states.ts';
import { readEntries } from '../../matches/read-matches.ts';
import { createRecordings } from '../../matches/recordings.ts';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
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
const startedMs = Date.now();

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, {
    storage: openFolderStorage(folder),
    // What was asked for a moment ago is remembered, however busy the machine is.
    nowMs: () => startedMs,
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

async function commit() {
  const id = matchId(randomUUID());
  const commitment = commitmentOf(secret);
  await commitMatch(context, {
    id,
    lobbyId: lobby,
    commitment: toHex(commitment),
    secret: toHex(secret),
    rules: rulesText(rules),
  });
  await nameTarget(context, id, 7n);
  return { id, commitment };
}

test('a running match shows its commitment and nothing that would help a player', async () => {
  const { id } = await commit();
  await startMatch(context, id, null);
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
  expect(data.commitment).toBe(toHex(commitmentOf(secret)));
  const list = await get(`${listMatches.path}?lobbyId=${lobby}`);
  expect(listMatches.answer.parse(list.json()).data.data.map((match) => match.id)).toContain(id);
  for (const { body } of [shown, list]) expect(body).not.toContain(toHex(secret));
  expect(logged.join('')).not.toContain(toHex(secret));
  const recording = await get(RECORDING_PATH.replace(':id', id));
  expect([recording.statusCode, recording.json().error]).toEqual([409, 'MATCH_NOT_ENDED']);
});

test('an ended match shows its secret, and its recording can be read by anyone and kept', async () => {
  const { id, commitment } = await commit();
  await startMatch(context, id, null);
  const recordings = createRecordings(context);
  const header = { matchId: id, commitment, publicPart: null, spill: 0n, rules };
  recordings.recordPart(id, 'header', writeHeader(header));
  const match = startRecordedMatch({ key: matchKeyOf(secret, null) }, (segment) =>
    recordings.recordPart(id, 'segment', segment),
  );
  applyRecorded(match, { type: 'join', stake: 5n });
  for (let tick = 0; tick < 200; tick++) stepRecorded(match);
  applyRecorded(match, { type: 'end', reason: 'closed' });
  finishRecording(match);
  await recordings.close(id, { finalTick: 200, spillAfter: 0n, isOurs: async () => true });
  const { data } = readMatch.answer.parse((await get(readMatch.path.replace(':id', id))).json());
  expect(data).toMatchObject({ state: 'ended', secret: toHex(secret), finalTick: 200, isCut: false });
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
  await startMatch(context, id, null);
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

  vi.mocked(readEntries).mockClear();
  const first = readMatch.answer.parse((await get(readMatch.path.replace(':id', id))).json()).data;
  expect(first).toEqual(pages[0]);
  // Asked for a moment ago.
  expect(readEntries).not.toHaveBeenCalled();
});

test('an unknown match and a malformed id are refused', async () => {
  expect((await get(`/api/matches/${randomUUID()}`)).json().error).toBe('MATCH_NOT_FOUND');
  expect((await get(`/api/matches/${randomUUID()}/recording`)).json().error).toBe('MATCH_NOT_FOUND');
  expect((await get('/api/matches/..%2f')).statusCode).toBe(400);
  expect((await get('/api/matches?lobbyId=x')).statusCode).toBe(400);
  expect((await get(`/api/matches/${randomUUID()}?page=0`)).statusCode).toBe(400);
});
