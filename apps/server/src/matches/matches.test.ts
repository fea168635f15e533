import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { commitmentOf, keysOfRecording, keysUpTo, lastSecret, secretOf, toHex } from '@engulf/sim/keys';
import { decidingSlot } from '@engulf/sim/mechanics/beacons';
import { FIRST_LINK, type Frame, readEnd, readFrame } from '@engulf/sim/recording/frames';
import { NO_BOND, writeHeader } from '@engulf/sim/recording/header';
import {
  applyRecorded,
  finishRecording,
  startRecordedMatch,
  stepRecorded,
} from '@engulf/sim/recording/recorder';
import { type Rules, standardRules } from '@engulf/sim/rules';
import { openRecording } from '@engulf/verify/open-recording';
import { replayMatch } from '@engulf/verify/replay-match';
import { desc, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { fakeNode, withNode, withNodes } from '../../testing/fake-node.ts';
import { newUser } from '../../testing/new-user.ts';
import { startPaidServer } from '../../testing/paid-players.ts';
import { soon } from '../../testing/soon.ts';
import { type Account, poolOf, spillOf } from '../money/ledger/accounts.ts';
import { post } from '../money/ledger/post.ts';
import type { Chain } from '../platform/chain/chain.ts';
import type { Context } from '../platform/context.ts';
import {
  entries,
  gameProcesses,
  type MatchRow,
  matchEpochs,
  matches,
  matchSecrets,
} from '../platform/database/games.ts';
import { createEpochs } from './epochs.ts';
import { createMatchPreparer, type PreparedMatch } from './prepare-match.ts';
import { readRecording } from './read-matches.ts';
import { partKey, RECORDING_TYPE } from './recording-parts.ts';
import { createRecordings } from './recordings.ts';
import { orphanedMatches, recoverMatch } from './recover-matches.ts';

const isOurs = async () => true;

const { server, context, lobby } = await startPaidServer();

async function prepare(
  with_: Context = context,
  isFree = false,
  rules: Rules = standardRules,
): Promise<PreparedMatch> {
  const preparer = createMatchPreparer(with_);
  return soon(async () => {
    const prepared = await preparer.prepare({ id: lobby.id, isFree }, rules);
    expect(prepared).toBeDefined();
    return prepared!;
  });
}

async function rowOf({ id }: PreparedMatch) {
  const [row] = await context.db.select().from(matches).where(eq(matches.id, id));
  return row!;
}

/** Plays a few seconds with one player and hands the recording over. */
function play(
  { id, secret, commitment, publicPart }: PreparedMatch,
  recordings: ReturnType<typeof createRecordings>,
) {
  const header = { matchId: id, commitment, publicPart, spill: 0n, rules: standardRules, bond: NO_BOND };
  recordings.recordPart(id, 'header', writeHeader(header));
  const key = keysUpTo(lastSecret(secret), publicPart);
  const match = startRecordedMatch({ key }, (segment) => recordings.recordPart(id, 'segment', segment));
  applyRecorded(match, { type: 'join', stake: 5n });
  for (let tick = 0; tick < 300; tick++) stepRecorded(match);
  return match;
}

async function readParts({ id }: PreparedMatch) {
  const parts: Frame[] = [];
  for (let index = 0; ; index++) {
    const bytes = await context.storage.get(partKey(id, index));
    if (!bytes) return { parts, chain: parts.at(-1)?.chain ?? FIRST_LINK.chain };
    const read = readFrame(bytes, 0, parts.at(-1));
    if (!read.ok) throw new Error(read.error.problem);
    parts.push(read.value.frame);
  }
}

/** As if minutes had passed on the chain. */
const later = (info: { absoluteSlot: bigint }, isSo: boolean) =>
  isSo ? { ...info, absoluteSlot: info.absoluteSlot + 1_000n } : info;

describe('a prepared match', () => {
  test('without money is committed to before the block that it depends on exists', async () => {
    let committed: MatchRow[] = [];
    let newest: bigint | undefined;
    const watched = withNode(context, {
      getSlot: async (real) => {
        committed = await context.db.select().from(matches);
        newest = await real();
        return newest;
      },
    });
    const preparer = createMatchPreparer(watched);
    expect(await preparer.prepare({ id: lobby.id, isFree: true }, standardRules)).toBeUndefined();
    const prepared = await soon(async () => {
      const made = await preparer.prepare({ id: lobby.id, isFree: true }, standardRules);
      expect(made).toBeDefined();
      return made;
    });
    const [row] = committed;
    expect(row).toMatchObject({ targetSlot: null, publicSlot: null, secret: null, startedAt: null });
    expect(toHex(prepared!.commitment)).toBe(row!.commitment);
    const bound = await rowOf(prepared!);
    expect(bound.targetSlot).toBeGreaterThan(newest!);
    expect(bound.publicSlot).toBe(bound.targetSlot);
    const [kept] = await context.db.select().from(matchSecrets).where(eq(matchSecrets.matchId, prepared!.id));
    const secret = Buffer.from(kept!.secret, 'hex');
    expect(toHex(commitmentOf(secretOf(lastSecret(secret), 0)))).toBe(bound.commitment);
    expect(secret).toEqual(prepared!.secret);
  });

  test('is given up for another one if its block is long past and no node has it', async () => {
    const named: bigint[] = [];
    // Both may name the same slot, so it is not the slot that tells them apart.
    const isFirst = () => named.length === 1;
    const restarted = withNode(context, {
      getSlot: async (real) => {
        const slot = await real();
        named.push(slot);
        return slot;
      },
      getEpochInfo: async (real) => later(await real(), isFirst()),
      getBlocks: async (real) => (isFirst() ? [] : real()),
    });
    const prepared = await prepare(restarted, true);
    expect(await rowOf(prepared)).toMatchObject({ publicSlot: prepared.publicPart!.slot });
    expect(prepared.publicPart!.slot).toBeGreaterThan(named[1]!);
    const [last, first] = await context.db.select().from(matches).orderBy(desc(matches.committedAt)).limit(2);
    expect(last!.id).toBe(prepared.id);
    expect(first).toMatchObject({ startedAt: null, publicSlot: null });
  });

  test('is bound to the block that another node has, if the first one lacks it', async () => {
    let isFinal = false;
    const lacking = fakeNode(context.chain.rpc, {
      getEpochInfo: async (real) => later(await real(), isFinal),
      getBlocks: async (real) => {
        isFinal = (await real()).length > 0;
        return [];
      },
    });
    const divided = withNodes(context, lacking, context.chain.rpc);
    const prepared = await prepare(divided);
    expect(await rowOf(prepared)).toMatchObject({ publicSlot: prepared.publicPart!.slot });
  });

  test('names a slot ahead of all nodes when the first one lags', async () => {
    let newest = 0n;
    const lagging = withNode(context, { getSlot: async (real) => (await real()) - 50n });
    const ahead = withNode(context, {
      getSlot: async (real) => {
        newest = await real();
        return newest;
      },
    });
    const both = withNodes(context, lagging.chain.rpc, ahead.chain.rpc);
    const { targetSlot } = await rowOf(await prepare(both, true));
    expect(newest).toBeGreaterThan(0n);
    expect(targetSlot).toBe(newest + 2n);
  });

  test('waits for the node where money is at stake, and does without it in a free lobby', async () => {
    const warnings: unknown[] = [];
    const silent = { send: () => Promise.reject(new Error('connect ECONNREFUSED')) };
    const rpc = { getSlot: () => silent, getBlocks: () => silent, getBlock: () => silent };
    const logger = Object.assign(Object.create(context.logger), {
      warn: (line: unknown) => warnings.push(line),
    });
    const alone: Context = {
      ...context,
      logger,
      chain: { ...context.chain, rpc, nodes: [rpc] } as unknown as Chain,
    };
    const hurry = { setTimer: (ms: number, run: () => void) => timer(ms / 300, run) };
    const preparer = createMatchPreparer(alone, hurry);
    const paid = { id: lobby.id, isFree: false };
    const free = { id: (await server.lobby('Petri Dish')).id, isFree: true };
    expect(await preparer.prepare(paid, standardRules)).toBeUndefined();
    await soon(async () => {
      const prepared = await preparer.prepare(free, standardRules);
      expect(prepared).toMatchObject({ publicPart: null });
    });
    expect(await preparer.prepare(paid, standardRules)).toBeUndefined();
    expect(warnings.length).toBeGreaterThan(1);
  });
});

describe('a recording', () => {
  test('is stored while the match runs; the secret is public only after its end', async () => {
    const prepared = await prepare();
    const recordings = createRecordings(context);
    const match = play(prepared, recordings);
    await soon(async () => expect((await readParts(prepared)).parts).toHaveLength(3));
    expect(await rowOf(prepared)).toMatchObject({ secret: null, endedAt: null, finalHash: null });
    applyRecorded(match, { type: 'end', reason: 'closed' });
    finishRecording(match);
    await recordings.close(prepared.id, { finalTick: 300, spillAfter: 0n, isOurs });
    const { parts, chain } = await readParts(prepared);
    expect(parts.map(({ kind }) => kind)).toEqual(['header', 'segment', 'segment', 'segment', 'end']);
    const row = await rowOf(prepared);
    expect(row).toMatchObject({ finalTick: 300, isCut: false, partCount: 5, finalHash: toHex(chain) });
    expect(toHex(commitmentOf(Buffer.from(row.secret!, 'hex')))).toBe(row.commitment);
    expect(await context.db.select().from(matchSecrets).where(eq(matchSecrets.matchId, row.id))).toEqual([]);
  });

  test('is written again while the storage fails', async () => {
    const prepared = await prepare();
    let failures = 2;
    const storage = {
      ...context.storage,
      putNew: (...put: Parameters<Context['storage']['putNew']>) =>
        failures-- > 0 ? Promise.reject(new Error('ENOSPC')) : context.storage.putNew(...put),
    };
    const quick = { setTimer: (_ms: number, run: () => void) => timer(1, run) };
    const recordings = createRecordings({ ...context, storage }, quick);
    play(prepared, recordings);
    await recordings.close(prepared.id, { finalTick: 300, spillAfter: 0n, isOurs });
    expect(failures).toBeLessThan(0);
    expect(await rowOf(prepared)).toMatchObject({ partCount: 4, isCut: false });
  });

  test('of a killed process is closed where it stops, once', async () => {
    const prepared = await prepare();
    play(prepared, createRecordings(context));
    await soon(async () => expect((await readParts(prepared)).parts).toHaveLength(3));
    const survivor = server.afterRestart();
    await context.db.insert(gameProcesses).values({ id: context.processId, version: 'test' });
    expect(await orphanedMatches(survivor)).not.toContain(prepared.id);
    await context.db.delete(gameProcesses);
    expect(await orphanedMatches(survivor)).toContain(prepared.id);
    await recoverMatch(survivor, prepared.id);
    await recoverMatch(survivor, prepared.id);
    expect(await orphanedMatches(survivor)).not.toContain(prepared.id);
    const { parts, chain } = await readParts(prepared);
    expect(parts.map(({ kind }) => kind)).toEqual(['header', 'segment', 'segment', 'end']);
    expect(readEnd(parts.at(-1)!.packed)).toEqual({ ok: true, value: { finalTick: 250, isCut: true } });
    const row = await rowOf(prepared);
    expect(row).toMatchObject({ isCut: true, finalTick: 250, finalHash: toHex(chain), partCount: 4 });
    expect(row.secret).toMatch(/^[0-9a-f]{64}$/);
  });

  test('of a process that was killed between two epochs, and between naming a block and its wave, is played to the cut', async () => {
    const rules = { ...standardRules, epochs: { seconds: 4 } };
    const prepared = await prepare(context, false, rules);
    const recordings = createRecordings(context);
    const epochs = createEpochs(context);
    const noted: Promise<void>[] = [];
    const { id, secret, commitment, publicPart, bond } = prepared;
    recordings.recordPart(
      id,
      'header',
      writeHeader({ matchId: id, commitment, publicPart, spill: 0n, rules, bond }),
    );
    const known = lastSecret(secret);
    const match = startRecordedMatch({ key: keysUpTo(known, publicPart), rules }, (segment) =>
      noted.push(recordings.recordPart(id, 'segment', segment).then((stored) => epochs.note(id, stored!))),
    );
    applyRecorded(match, { type: 'join', stake: 5n });
    stepRecorded(match);
    const decides = decidingSlot(match.world, 1_000n);
    expect(applyRecorded(match, { type: 'pledge', wave: 1, newest: 1_000n, decides }).ok).toBe(true);
    // It dies in its third epoch.
    while (match.world.clock.tick < 290) stepRecorded(match);
    await Promise.all(noted);
    expect(await context.db.$count(matchEpochs, eq(matchEpochs.matchId, id))).toBe(2);
    await recoverMatch(server.afterRestart(), id);
    const row = await rowOf(prepared);
    expect(row).toMatchObject({ isCut: true, finalTick: 200, secret: toHex(secretOf(known, 1)) });
    expect(await context.db.$count(matchEpochs, eq(matchEpochs.matchId, id))).toBe(0);
    const bytes: Uint8Array[] = [];
    for await (const part of readRecording(context, { id, partCount: row.partCount! })) bytes.push(part);
    const opened = await openRecording(new Uint8Array(Buffer.concat(bytes)));
    if (!opened.ok) throw new Error(opened.error.problem);
    const keys = keysOfRecording(opened.value.header, Buffer.from(row.secret!, 'hex'));
    expect(await replayMatch(opened.value, keys)).toMatchObject({
      kind: 'replayed',
      match: { finalTick: 200, portals: { waves: [{ number: 1, decides, block: undefined }], missed: 0 } },
    });
  });

  test('of a process that was killed before it wrote any has its beginning, if somebody had entered', async () => {
    const empty = await prepare();
    await recoverMatch(server.afterRestart(), empty.id);
    expect(await rowOf(empty)).toMatchObject({ partCount: 0, finalHash: null });

    const prepared = await prepare();
    const user = await newUser(context.db);
    await context.db.insert(entries).values({
      id: entryId(randomUUID()),
      userId: user.id,
      lobbyId: lobby.id,
      state: 'ended',
      outcome: 'fault',
      paymentSessionId: paymentSessionId(randomUUID()),
      entryFee: 100n,
      stake: 95n,
      payoutAmount: 95n,
      matchId: prepared.id,
    });
    await recoverMatch(server.afterRestart(), prepared.id);
    const { parts, chain } = await readParts(prepared);
    expect(parts.map(({ kind }) => kind)).toEqual(['header', 'end']);
    const { id, commitment, publicPart, bond } = prepared;
    const header = { matchId: id, commitment, publicPart, spill: 0n, rules: standardRules, bond };
    expect(Buffer.from(parts[0]!.packed)).toEqual(Buffer.from(writeHeader(header)));
    expect(await rowOf(prepared)).toMatchObject({ isCut: true, finalTick: 0, finalHash: toHex(chain) });
  });

  test('of a killed process says what its match left, even if the next one has shared it already', async () => {
    const spill = spillOf(lobby.id);
    const move = (key: string, debit: Account, credit: Account) =>
      context.db.transaction((tx) =>
        post(tx, { key, lobbyId: lobby.id, postings: [{ debit, credit, amount: 10n }] }),
      );
    const killed = await prepare();
    await move('a forfeit', poolOf(lobby.id), spill);
    const next = await prepare();
    await move('the next match shares it', spill, poolOf(lobby.id));
    await recoverMatch(server.afterRestart(), killed.id);
    await recoverMatch(server.afterRestart(), next.id);
    expect(await rowOf(killed)).toMatchObject({ spillAfter: 10n });
    expect(await rowOf(next)).toMatchObject({ spillAfter: 0n });
  });

  test('that an older release began is closed, or continued, in its own version', async () => {
    const frames = framesOf(
      readFileSync(
        new URL('../../../../packages/verify/src/testing/golden/version-3.recording', import.meta.url),
      ),
    );
    const begun = frames.slice(0, 3);
    const [killed, handedOver] = [await prepare(), await prepare()];
    for (const { id } of [killed, handedOver]) {
      for (const [index, { bytes }] of begun.entries()) {
        await context.storage.putNew(partKey(id, index), bytes, RECORDING_TYPE);
      }
    }
    await recoverMatch(server.afterRestart(), killed.id);
    const recordings = createRecordings(context);
    const { chain } = begun[2]!.frame;
    // As a process of that release hands it over: it did not name the version.
    await recordings.resume(handedOver.id, { chain: toHex(chain), partCount: 3, bytes: 1 });
    await recordings.close(handedOver.id, { finalTick: 250, spillAfter: 0n, isOurs });
    for (const each of [killed, handedOver]) {
      const { parts } = await readParts(each);
      expect(parts.map(({ kind }) => kind)).toEqual(['header', 'segment', 'segment', 'end']);
      expect(parts.map(({ version }) => version)).toEqual([3, 3, 3, 3]);
    }
  });

  test('of a killed process is closed before a part that is damaged', async () => {
    const prepared = await prepare();
    play(prepared, createRecordings(context));
    await soon(async () => expect((await readParts(prepared)).parts).toHaveLength(3));
    const part = (await context.storage.get(partKey(prepared.id, 2)))!;
    await context.storage.put(partKey(prepared.id, 2), part.with(40, part[40]! ^ 255), RECORDING_TYPE);
    await recoverMatch(server.afterRestart(), prepared.id);
    const { parts, chain } = await readParts(prepared);
    expect(parts.map(({ kind }) => kind)).toEqual(['header', 'segment', 'end']);
    expect(await rowOf(prepared)).toMatchObject({ isCut: true, finalHash: toHex(chain), partCount: 3 });
  });
});

function framesOf(recording: Uint8Array): { frame: Frame; bytes: Uint8Array }[] {
  const frames: { frame: Frame; bytes: Uint8Array }[] = [];
  for (let at = 0; at < recording.length; ) {
    const read = readFrame(recording, at, frames.at(-1)?.frame);
    if (!read.ok) throw new Error(read.error.problem);
    frames.push({ frame: read.value.frame, bytes: recording.subarray(at, read.value.next) });
    at = read.value.next;
  }
  return frames;
}

function timer(ms: number, run: () => void): () => void {
  const handle = setTimeout(run, ms);
  return () => clearTimeout(handle);
}
