import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryId, lobbyId, type MatchId, matchId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { RECORDING_PATH, readMatch } from '@engulf/protocol/http/matches';
import { commitmentOf, keysUpTo, lastSecret, numberedKey, secretOf, toHex } from '@engulf/sim/keys';
import type { PlayerId } from '@engulf/sim/players';
import { NO_BOND, rulesText, writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { standardRules as rules } from '@engulf/sim/rules';
import { verifyMatch } from '@engulf/verify/verify-match';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
// @ts-expect-error: it has no types.
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../testing/admin/operator.ts';
import { createBareContext } from '../../testing/bare-context.ts';
import { newLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { registerMatches } from '../http/routes/matches.ts';
import type { Context } from '../platform/context.ts';
import { entries, matchAnchors, matches, payments } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { auditLog } from '../platform/database/operations.ts';
import { openS3Storage } from '../platform/storage/s3-storage.ts';
import { openFolderStorage, type Storage } from '../platform/storage/storage.ts';
import { commitMatch, nameTarget, startMatch } from './match-states.ts';
import { partKey } from './recording-parts.ts';
import { createRecordings } from './recordings.ts';

const DAY_MS = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'engulf-archive-'));
const lobby = lobbyId(randomUUID());
const secret = numberedKey(5);
const buckets = ['engulf-files', 'engulf-archive'] as const;

let database: OpenDatabase;
let bucketServer: { run(): Promise<{ port: number }>; close(): Promise<void> };
let endpoint: string;
let context: Context & { readonly archive: Storage };
let app: FastifyInstance;
let nowMs = Date.now();

beforeAll(async () => {
  database = await openTestDatabase();
  context = {
    ...createBareContext(database.db, { storage: at('storage'), nowMs: () => nowMs }),
    archive: at('archive'),
  };
  await newLobby(database.db, { id: lobby });
  app = (await createTestApp(context, { RATE_LIMIT_SCALE: '100' })).app;
  registerMatches(app, context);
  await app.ready();
  bucketServer = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: buckets.map((name) => ({ name })),
  });
  endpoint = `http://127.0.0.1:${(await bucketServer.run()).port}`;
});
afterAll(async () => {
  await app.close();
  await database.close();
  await bucketServer.close();
  rmSync(folder, { recursive: true });
});

const at = (name: string) => openFolderStorage(join(folder, name));

/** Plays a match with one entry, and lets a hundred days pass. */
async function playMatch({ storage }: Pick<Context, 'storage'> = context) {
  const own = { ...context, storage };
  const id = matchId(randomUUID());
  const commitment = commitmentOf(secretOf(lastSecret(secret), 0));
  const committed = { id, lobbyId: lobby, commitment: toHex(commitment), secret: toHex(secret) };
  await commitMatch(own, { ...committed, rules: rulesText(rules) });
  await nameTarget(own, id, 7n);
  await startMatch(own, { id, lobbyId: lobby });
  const { id: userId } = await newUser(context.db);
  const entry = entryId(randomUUID());
  const about = {
    id: entry,
    userId,
    lobbyId: lobby,
    matchId: id,
    paymentSessionId: paymentSessionId(randomUUID()),
  };
  const startedAt = new Date(nowMs);
  const ended = {
    state: 'ended',
    outcome: 'forfeit',
    startedAt,
    endedAt: startedAt,
    payoutAmount: 7n,
  } as const;
  await context.db.insert(entries).values({ ...about, ...ended, entryFee: 0n, stake: 7n });
  const recordings = createRecordings(own);
  const header = { matchId: id, commitment, publicPart: null, spill: 0n, rules, bond: NO_BOND };
  recordings.recordPart(id, 'header', writeHeader(header));
  const match = startRecordedMatch({ key: keysUpTo(lastSecret(secret), null), rules }, (segment) =>
    recordings.recordPart(id, 'segment', segment),
  );
  const player = applyRecorded(match, { type: 'join', stake: 7n, entry });
  applyRecorded(match, { type: 'disconnect', player: (player.ok && player.player) as PlayerId });
  for (let tick = 0; tick < 300; tick++) stepRecorded(match);
  applyRecorded(match, { type: 'end', reason: 'closed' });
  finishRecording(match);
  await recordings.close(id, { finalTick: 300, spillAfter: 0n, isOurs: async () => true });
  nowMs += 100 * DAY_MS;
  return { id, entry, userId };
}

const archive = (change: Partial<Context> = {}, ...more: string[]) =>
  createOperator({ ...context, ...change }).run(
    'archive',
    '--before',
    '90d',
    '--reason',
    'the disk',
    ...more,
  );

async function placesOf(id: MatchId, { storage, archive }: Pick<Context, 'storage' | 'archive'> = context) {
  const [match] = await context.db.select().from(matches).where(eq(matches.id, id));
  const keys = Array.from({ length: match!.partCount! }, (_, index) => partKey(id, index));
  const isIn = async (place: Storage) => (await Promise.all(keys.map((key) => place.get(key)))).map(Boolean);
  const all = (found: boolean[]) => (found.every((one) => one === found[0]) ? found[0] : 'a part');
  return { state: match!.archived, storage: all(await isIn(storage)), archive: all(await isIn(archive!)) };
}

const MOVED = { state: 'moved', storage: false, archive: true };
const FITS = { isRight: true, line: expect.stringContaining('1 entry was settled as played') };
const STAYS = { state: null, storage: true, archive: false };

/** What a visitor of its page gets, checked as the page checks it. */
async function verify(id: MatchId) {
  const facts = readMatch.answer.parse((await app.inject(readMatch.path.replace(':id', id))).json()).data;
  const answer = await app.inject(RECORDING_PATH.replace(':id', id));
  expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, String(facts.recordingBytes)]);
  return verifyMatch(facts, new Uint8Array(answer.rawPayload), undefined);
}

test('a recording that was archived is served and checks out as before; a second run does nothing', async () => {
  const { id } = await playMatch();
  const before = await verify(id);
  expect(before).toMatchObject(FITS);
  expect(await archive({}, '--dry-run')).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 recordings of matches'),
  });
  expect(await placesOf(id)).toEqual(STAYS);
  expect(await archive()).toMatchObject({ code: 0, errors: '' });
  expect(await placesOf(id)).toEqual(MOVED);
  expect(await verify(id)).toEqual(before);
  expect(await archive()).toMatchObject({ code: 0, output: 'Nothing to change: it is so already.' });
  // From a process that slept for all that time.
  await context.storage.putNew(partKey(id, 0), new Uint8Array(3), 'x');
  expect(await verify(id)).toEqual(before);
  const notes = await context.db.select().from(auditLog).where(eq(auditLog.subject, id));
  expect(notes).toMatchObject([{ action: 'archive', actor: 'ann', reason: 'the disk' }]);
});

test('a kill at any step loses nothing: the recording is served, and the next run goes on', async () => {
  const { id } = await playMatch();
  const states = new Set<string | null>();
  for (let steps = 0; ; steps++) {
    let left = steps;
    const killed = (place: Storage): Storage => {
      const step =
        <Parameters extends unknown[], Value>(work: (...given: Parameters) => Promise<Value>) =>
        (...given: Parameters) =>
          left-- > 0 ? work(...given) : Promise.reject(new Error('killed'));
      return {
        put: step(place.put),
        putNew: step(place.putNew),
        get: step(place.get),
        remove: step(place.remove),
      };
    };
    const run = archive({ storage: killed(context.storage), archive: killed(context.archive) });
    const isKilled = await run.then(
      () => false,
      (error: Error) => error.message === 'killed',
    );
    const places = await placesOf(id);
    states.add(places.state);
    expect(places.storage === true || places.archive === true).toBe(true);
    expect(await verify(id)).toMatchObject(FITS);
    if (!isKilled) break;
  }
  // It was killed before, while and after the parts were removed.
  expect(states).toEqual(new Set([null, 'copied', 'moved']));
  expect(await placesOf(id)).toEqual(MOVED);
});

test('nothing is archived that is not final, or not old', async () => {
  const { db } = context;
  const { id, entry, userId } = await playMatch();
  const stays = async () => {
    expect(await archive()).toMatchObject({ output: 'Nothing to change: it is so already.' });
    expect(await placesOf(id)).toEqual(STAYS);
  };
  const of = eq(entries.id, entry);
  await db.update(entries).set({ state: 'playing' }).where(of);
  await stays();
  await db.update(entries).set({ state: 'ended' }).where(of);

  const payment = {
    id: randomUUID(),
    signature: 's' as never,
    lobbyId: lobby,
    wallet: 'w' as never,
    entryId: entry,
  };
  await db.insert(payments).values({ ...payment, status: 'verifying' });
  await stays();
  await db.update(payments).set({ status: 'verified' }).where(eq(payments.id, payment.id));

  for (const cause of [{ entryId: entry }, { paymentId: payment.id }]) {
    const payout = {
      id: randomUUID(),
      lobbyId: lobby,
      userId,
      wallet: 'w' as never,
      amount: 7n,
      isRefund: false,
    };
    await db.insert(payouts).values({ ...payout, ...cause, status: 'processing' });
    await stays();
    await db.update(payouts).set({ status: 'completed' }).where(eq(payouts.id, payout.id));
  }

  const anchor = { matchId: id, kind: 'close', memo: 'm', createdAt: new Date() } as const;
  await db.insert(matchAnchors).values(anchor);
  await stays();
  await db.update(matchAnchors).set({ slot: 5n }).where(eq(matchAnchors.matchId, id));

  nowMs -= 11 * DAY_MS;
  await stays();
  nowMs += 11 * DAY_MS;
  expect(await archive()).toMatchObject({ code: 0 });
  expect(await placesOf(id)).toEqual(MOVED);
});

test('a recording that is damaged or differs from what the archive has stays, and the others are moved', async () => {
  const [damaged, other, whole] = [await playMatch(), await playMatch(), await playMatch()];
  const key = partKey(damaged.id, 1);
  const part = (await context.storage.get(key))!;
  const changed = part.slice();
  changed[changed.length - 1]! ^= 1;
  await context.storage.put(key, changed, 'x');
  await context.archive.put(partKey(other.id, 0), new Uint8Array(3), 'x');
  const { code, errors } = await archive();
  expect([code, errors]).toEqual([1, expect.stringContaining('2 stay in the storage')]);
  expect(errors).toContain(`${damaged.id}: its parts do not add up`);
  expect(errors).toContain(`${other.id}: the archive has another part 0`);
  expect(await placesOf(damaged.id)).toMatchObject({ state: null, storage: true });
  expect(await placesOf(other.id)).toMatchObject({ state: null, storage: true });
  expect(await placesOf(whole.id)).toEqual(MOVED);
  for (const { id } of [damaged, other])
    await context.db.update(matches).set({ archived: 'moved' }).where(eq(matches.id, id));
});

test('an archive that is the storage under another name is refused, and nothing is removed', async () => {
  const { id } = await playMatch();
  const { code, errors } = await archive({ archive: at('storage') });
  expect([code, errors]).toEqual([1, expect.stringContaining('same place')]);
  expect(await placesOf(id)).toEqual(STAYS);
  expect(readdirSync(join(folder, 'storage', 'archive-check'))).toEqual([]);
  expect(await archive()).toMatchObject({ code: 0 });
});

test('without an archive, or for matches of this week, the command is refused', async () => {
  const { code, errors } = await archive({ archive: undefined });
  expect([code, errors]).toEqual([1, expect.stringContaining('ARCHIVE_DIR')]);
  for (const before of ['6d', new Date(nowMs - 6 * DAY_MS).toISOString(), 'yesterday']) {
    expect(await createOperator(context).run('archive', '--before', before, '--dry-run')).toMatchObject({
      code: 2,
    });
  }
});

test('buckets do as well as folders', async () => {
  const key = { id: 'S3RVER', secret: 'S3RVER' };
  const [storage, target] = await Promise.all(
    buckets.map((bucket) => openS3Storage({ kind: 's3', bucket, region: 'us-east-1', endpoint, key })),
  );
  const places = { storage: storage!, archive: target! };
  const { id } = await playMatch(places);
  expect(await placesOf(id, places)).toEqual(STAYS);
  expect(await archive(places)).toMatchObject({ code: 0, errors: '' });
  expect(await placesOf(id, places)).toEqual(MOVED);
});
