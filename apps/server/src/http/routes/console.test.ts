import { randomUUID } from 'node:crypto';
import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { walletAddress } from '@engulf/domain/ids/entity-ids';
import { generateKeyPairSigner, type KeyPairSigner, signBytes } from '@solana/kit';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBareContext } from '../../../testing/bare-context.ts';
import { newPaidLobby } from '../../../testing/new-lobby.ts';
import { createTestApp } from '../../../testing/test-app.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import { openSession, SESSION_COOKIE } from '../../accounts/sessions.ts';
import { forgetMinutes, noteMinute } from '../../console/minutes.ts';
import { payableOf, poolOf, spillOf } from '../../money/ledger/accounts.ts';
import { post } from '../../money/ledger/post.ts';
import type { Context } from '../../platform/context.ts';
import { entries, gameProcesses, lobbies } from '../../platform/database/games.ts';
import { integrityCases } from '../../platform/database/integrity.ts';
import { payouts } from '../../platform/database/money.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { auditLog, consoleMinutes } from '../../platform/database/operations.ts';
import { type UserRole, users } from '../../platform/database/people.ts';
import { registerConsole } from './console.ts';

type Person = { readonly id: UserId; readonly wallet: KeyPairSigner; readonly cookie: string };

let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
let clockMs = Date.parse('2026-11-18T12:00:00Z');
let people: { [role in UserRole | 'other']: Person };
let lobbyId: LobbyId;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { nowMs: () => clockMs });
  const created = await createTestApp(context, { RATE_LIMIT_SCALE: '1000' });
  app = created.app;
  registerConsole(app, context, created.config, created.site);
  people = {
    player: await newPerson('player', 'Alice'),
    operator: await newPerson('operator', 'Otto'),
    admin: await newPerson('admin', 'Ada'),
    other: await newPerson('admin', 'Anna'),
  };
  ({ id: lobbyId } = await newPaidLobby(database.db, { name: 'Reef' }));
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function newPerson(role: UserRole, name: string): Promise<Person> {
  const wallet = await generateKeyPairSigner();
  const id = randomUUID() as UserId;
  await database.db.insert(users).values({ id, walletAddress: walletAddress(wallet.address), name, role });
  const token = await openSession(context, database.db, id);
  return { id, wallet, cookie: `${SESSION_COOKIE}=${token}` };
}

let payoutId: string;
let entryId: string;
/** Alice is owed a payout. A successful answer's own status replaces that of HTTP below. */
beforeEach(async () => {
  const { db } = database;
  await db.update(entries).set({ state: 'ended' });
  payoutId = randomUUID();
  entryId = randomUUID();
  const userId = people.player.id;
  await db.insert(entries).values({
    id: entryId as never,
    userId,
    lobbyId,
    state: 'ended',
    paymentSessionId: randomUUID() as never,
    entryFee: 50n,
    outcome: 'cashout',
  });
  await db.insert(payouts).values({
    id: payoutId,
    lobbyId,
    entryId: entryId as never,
    userId,
    wallet: walletAddress(people.player.wallet.address),
    amount: 1_000n,
    isRefund: false,
    status: 'pending',
    createdAt: new Date(clockMs),
  });
});

async function call(person: Person | undefined, method: 'GET' | 'POST', url: string, body?: object) {
  const answer = await app.inject({
    method,
    url,
    headers: person ? { cookie: person.cookie } : {},
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, ...JSON.parse(answer.body) };
}

const hold = () => ({
  command: 'payouts hold',
  positionals: [payoutId],
  options: {},
  reason: 'a report is being looked at',
});
const ask = (person: Person | undefined, body: object = hold()) =>
  call(person, 'POST', '/api/console/changes', body);
const sign = async (person: Person, nonce: string, text: string, key = person.wallet) => {
  const bytes = await signBytes(key.keyPair.privateKey, new TextEncoder().encode(text));
  const signature = Buffer.from(bytes).toString('base64');
  return call(person, 'POST', '/api/console/changes/sign', { nonce, signature });
};
const isHeld = async () => {
  const [row] = await database.db.select().from(payouts).where(eq(payouts.id, payoutId));
  return row!.heldAt !== null;
};

describe('looking', () => {
  const views = 'now money players player entry matches chat switches integrity audit'.split(' ');

  test('is for operators and admins, and the money for admins', async () => {
    for (const view of views) {
      const url = `/api/console/view?view=${view}`;
      expect(await call(undefined, 'GET', url)).toMatchObject({ status: 401 });
      expect(await call(people.player, 'GET', url)).toMatchObject({ status: 403, error: 'FORBIDDEN' });
      const seen = await call(people.operator, 'GET', url);
      expect([view, seen.status]).toEqual([view, view === 'money' ? 403 : 'success']);
      expect(await call(people.admin, 'GET', url)).toMatchObject({ status: 'success' });
    }
    expect(await call(undefined, 'GET', '/api/console')).toMatchObject({ status: 401 });
    expect(await call(people.player, 'GET', '/api/console')).toMatchObject({ status: 403 });
    const titles = (await call(people.operator, 'GET', '/api/console')).views.map(
      ({ view }: { view: string }) => view,
    );
    expect(titles).not.toContain('money');
  });

  test('a role that is taken away counts at once', async () => {
    const person = await newPerson('operator', 'Olga');
    expect(await call(person, 'GET', '/api/console')).toMatchObject({ status: 'success' });
    await database.db.update(users).set({ role: 'player' }).where(eq(users.id, person.id));
    expect(await call(person, 'GET', '/api/console')).toMatchObject({ status: 403 });
  });

  test('"I was not paid": search, player, entry', async () => {
    clockMs += 120_000;
    const found = await call(people.operator, 'GET', '/api/console/view?view=players&q=ali');
    const { to } = found.sections[0].rows[0].cells.player;
    const player = await call(people.operator, 'GET', `/api/console/view${to}`);
    const row = player.sections[1].rows[0].cells;
    expect(row.why.text).toMatch(/^Late: due since/);
    const entry = await call(people.operator, 'GET', `/api/console/view${row.entry.to}`);
    expect(entry.sections[0].fields[0].value.text).toMatch(/^Late/);
    expect(entry.sections[1].steps.map(({ title }: { title: string }) => title)).toContain('Wallet');
    for (const q of [people.player.wallet.address, entryId, payoutId]) {
      const again = await call(people.operator, 'GET', `/api/console/view?view=players&q=${q}`);
      expect(again.sections[0].rows[0].cells.player).toMatchObject({ text: 'Alice' });
    }
    const none = await call(
      people.operator,
      'GET',
      `/api/console/view?view=players&q=${encodeURIComponent('%')}%25`,
    );
    expect(none.sections[0].rows).toEqual([]);
  });

  test('shows no address of a player, not even as a hash', async () => {
    await database.db.update(entries).set({ addressHash: 'THE-HASH' });
    for (const view of [`player&id=${people.player.id}`, `entry&id=${entryId}`, 'players&q=alice']) {
      const seen = await call(people.admin, 'GET', `/api/console/view?view=${view}`);
      expect(JSON.stringify(seen)).toContain('Alice');
      expect(JSON.stringify(seen)).not.toContain('THE-HASH');
    }
  });
});

describe('a change', () => {
  test('is shown, signed and made, and the signature is in the audit log', async () => {
    const { nonce, text, lines } = await ask(people.admin);
    expect(await isHeld()).toBe(false);
    for (const part of [
      payoutId,
      people.player.wallet.address,
      'a report is being looked at',
      nonce,
      'http://localhost',
    ])
      expect(text).toContain(part);
    expect(text).toContain(`- ${lines[0]}`);
    expect(await sign(people.admin, nonce, text)).toMatchObject({ status: 'success' });
    expect(await isHeld()).toBe(true);
    const [note] = await database.db.select().from(auditLog).where(eq(auditLog.subject, payoutId));
    expect(note).toMatchObject({
      actor: people.admin.id,
      action: 'payouts hold',
      reason: 'a report is being looked at',
      signedText: text,
      signature: expect.stringMatching(/^.{88}$/),
    });
    const log = await call(people.operator, 'GET', '/api/console/view?view=audit');
    expect(log.sections[0].rows[0].cells).toMatchObject({ who: { text: 'Ada' }, what: 'payouts hold' });
  });

  test('needs the role for it', async () => {
    expect(await ask(undefined)).toMatchObject({ status: 401 });
    expect(await ask(people.player)).toMatchObject({ status: 403 });
    expect(await ask(people.operator)).toMatchObject({ status: 403, error: 'FORBIDDEN' });
    const pause = { command: 'switch set', options: {}, reason: 'a test' };
    expect(await ask(people.operator, { ...pause, positionals: ['payouts-paused', 'on'] })).toMatchObject({
      status: 403,
    });
    expect(await ask(people.operator, { ...pause, positionals: ['chat-closed', 'on'] })).toMatchObject({
      status: 'success',
    });
  });

  test('is not offered for commands of the tool alone, nor with its options', async () => {
    for (const command of ['user role', 'lobby remove', 'database migrate', 'constructor', 'payouts list'])
      expect(await ask(people.admin, { ...hold(), command })).toMatchObject({ status: 403 });
    for (const name of ['as', 'yes', 'dry-run', 'json'])
      expect(await ask(people.admin, { ...hold(), options: { [name]: true } })).toMatchObject({
        status: 409,
      });
    expect(await ask(people.admin, { ...hold(), positionals: ['--as=root'] })).toMatchObject({ status: 409 });
    expect(await ask(people.admin, { ...hold(), reason: 'one\nNonce: 0' })).toMatchObject({ status: 400 });
    expect(await ask(people.admin, { ...hold(), reason: ' ' })).toMatchObject({ status: 400 });
  });

  test('is not made without the right signature', async () => {
    const refused = { status: 403, error: 'CONSOLE_SIGNATURE_REFUSED' };
    const shown = [
      await ask(people.admin),
      await ask(people.admin),
      await ask(people.admin),
      await ask(people.admin),
    ];
    const [one, two, three, four] = shown;
    const { nonce } = one;
    expect(await call(people.admin, 'POST', '/api/console/changes/sign', { nonce })).toMatchObject({
      status: 400,
    });
    const empty = { nonce, signature: Buffer.alloc(64).toString('base64') };
    expect(await call(people.admin, 'POST', '/api/console/changes/sign', empty)).toMatchObject(refused);
    // The first attempt has used it up.
    expect(await sign(people.admin, nonce, one.text)).toMatchObject(refused);
    expect(await sign(people.admin, two.nonce, two.text, people.other.wallet)).toMatchObject(refused);
    expect(await sign(people.admin, three.nonce, four.text)).toMatchObject(refused);
    // Neither another admin nor the player can use what was shown to Ada.
    expect(await sign(people.other, four.nonce, four.text)).toMatchObject(refused);
    expect(await sign(people.player, four.nonce, four.text)).toMatchObject({
      status: 403,
      error: 'FORBIDDEN',
    });
    expect(await isHeld()).toBe(false);
    expect(await sign(people.admin, four.nonce, four.text)).toMatchObject({ status: 'success' });
    expect(await sign(people.admin, four.nonce, four.text)).toMatchObject(refused);
  });

  test('counts for five minutes, and only while the role is there', async () => {
    const late = await ask(people.admin);
    clockMs += 5 * 60_000;
    expect(await sign(people.admin, late.nonce, late.text)).toMatchObject({
      error: 'CONSOLE_SIGNATURE_REFUSED',
    });
    const person = await newPerson('admin', 'Amir');
    const shown = await ask(person);
    await database.db.update(users).set({ role: 'operator' }).where(eq(users.id, person.id));
    expect(await sign(person, shown.nonce, shown.text)).toMatchObject({ status: 403, error: 'FORBIDDEN' });
    expect(await isHeld()).toBe(false);
  });

  test('is not made if it would come to something else by now', async () => {
    const release = { ...hold(), command: 'payouts release' };
    const { nonce, text } = await ask(people.admin);
    await database.db.update(payouts).set({ amount: 2_000n }).where(eq(payouts.id, payoutId));
    expect(await sign(people.admin, nonce, text)).toMatchObject({ status: 409, error: 'CONSOLE_REFUSED' });
    expect(await isHeld()).toBe(false);
    expect(await ask(people.admin, release)).toMatchObject({ status: 409, message: 'It is so already.' });
  });

  test('of words that the database does not take is refused like others', async () => {
    const commands = [
      ...['lobby lock', 'lobby unlock', 'lobby drain', 'lobby price', 'user ban', 'user unban', 'chat mute'],
      ...['chat unmute', 'chat remove', 'switch set', 'switch clear', 'payouts hold', 'payouts release'],
      ...['payouts retry', 'integrity act', 'integrity dismiss'],
    ];
    const words = [
      '-'.repeat(36),
      'f'.repeat(36),
      '9'.repeat(15),
      '9'.repeat(200),
      '-1',
      'NaN',
      '💥',
      '\ud800',
    ];
    const asked = commands.flatMap((command) =>
      words.flatMap((word) => [
        { ...hold(), command, positionals: [word] },
        { ...hold(), command, positionals: [word, word], options: { for: word, until: word, lobby: word } },
      ]),
    );
    const answers = [...asked, ...words.map((word) => ({ ...hold(), reason: `because ${word}` }))].map(
      async (body) => ({ body, answer: await ask(people.admin, body) }),
    );
    const failed = (await Promise.all(answers)).filter(({ answer }) => answer.status >= 500);
    expect(failed.map(({ body }) => body)).toEqual([]);
    expect(await ask(people.admin, { ...hold(), positionals: ['-'.repeat(36)] })).toMatchObject({
      status: 409,
      error: 'CONSOLE_REFUSED',
    });
  });

  test('is not about oneself, and an operator’s not about staff', async () => {
    const ban = (id: string) => ({ command: 'user ban', positionals: [id], options: {}, reason: 'a test' });
    expect(await ask(people.operator, ban(people.admin.id))).toMatchObject({ status: 403 });
    expect(await ask(people.admin, ban(people.admin.id))).toMatchObject({ status: 403 });
    expect(await ask(people.operator, ban(people.player.id))).toMatchObject({ status: 'success' });
    await database.db.update(payouts).set({ userId: people.admin.id }).where(eq(payouts.id, payoutId));
    expect(await ask(people.admin)).toMatchObject({
      status: 409,
      message: expect.stringContaining('your own'),
    });
  });

  test('is not about a case of one’s own, which would release one’s own payouts', async () => {
    const about = async (actor: UserId, partner: UserId | null) => {
      const facts = { state: 'open', findings: [], pValue: 0.001, openedAt: new Date(clockMs) } as const;
      const id = randomUUID();
      await database.db.insert(integrityCases).values({ ...facts, id, actor, partner });
      return { command: 'integrity dismiss', positionals: [id], options: {}, reason: 'a test' };
    };
    const own = expect.stringContaining('your own');
    const [alice, ada] = [people.player.id as UserId, people.admin.id as UserId];
    expect(await ask(people.admin, await about(ada, null))).toMatchObject({ status: 409, message: own });
    expect(await ask(people.admin, await about(alice, ada))).toMatchObject({ status: 409, message: own });
    expect(await ask(people.admin, await about(alice, null))).toMatchObject({ status: 'success' });
  });

  test('of a lobby names the time that was shown', async () => {
    const at = new Date(clockMs + 600_000).toISOString();
    const drain = { command: 'lobby drain', positionals: [lobbyId], options: { at }, reason: 'a test' };
    const { nonce, text } = await ask(people.operator, drain);
    expect(text).toContain(`"Reef" closes at ${at}`);
    clockMs += 30_000;
    expect(await sign(people.operator, nonce, text)).toMatchObject({ status: 'success' });
    const [row] = await database.db.select().from(lobbies).where(eq(lobbies.id, lobbyId));
    expect(row!.drainsAtMs).toBe(Date.parse(at));
  });
});

test('whoever plays as well reads no case of their own', async () => {
  const { operator, other } = people;
  const findings = [{ kind: 'machine', pValue: 0.001, strength: 9, count: 4 }];
  const facts = { state: 'open', findings, pValue: 0.001, openedAt: new Date(clockMs) } as const;
  const ids = [randomUUID(), randomUUID()] as const;
  await database.db.insert(integrityCases).values([
    { ...facts, id: ids[0], actor: operator.id },
    { ...facts, id: ids[1], actor: people.player.id, partner: operator.id },
  ]);
  const read = async (person: Person, query: string) =>
    JSON.stringify((await call(person, 'GET', `/api/console/view?${query}`)).sections);
  for (const id of ids) {
    const mine = `id=${id}`;
    for (const query of ['view=integrity', `view=integrity&${mine}`, `view=player&id=${operator.id}`])
      expect(await read(operator, query)).not.toContain(id);
    expect(await read(operator, `view=integrity&${mine}`)).not.toContain('What was found');
    expect(await read(other, `view=integrity&${mine}`)).toContain('What was found');
  }
  expect(await read(operator, `view=player&id=${people.player.id}`)).not.toContain(ids[1]);
  expect(await read(other, `view=player&id=${operator.id}`)).toContain(ids[0]);
  await database.db.delete(integrityCases);
});

describe('where it is off', () => {
  test('in production unless it is switched on, its calls do not exist', async () => {
    const { app: off, config, site } = await createTestApp(context);
    registerConsole(off, context, { ...config, console: { isOn: false, url: undefined } }, site);
    expect((await off.inject({ url: '/api/console' })).statusCode).toBe(404);
    await off.close();
  });

  test('with an origin of its own it is reached by no other', async () => {
    const {
      app: own,
      config,
      site,
    } = await createTestApp(context, { CONSOLE_URL: 'http://console.example' });
    registerConsole(own, context, config, site);
    const { cookie } = people.admin;
    const get = async (host: string, url = '/api/console') =>
      (await own.inject({ url, headers: { cookie, host } })).statusCode;
    expect(await get('console.example')).toBe(200);
    expect(await get('localhost')).toBe(404);
    expect(await get('localhost', '/%61pi/console')).toBe(404);
    await own.close();
  });
});

// Last, because it lets so much time pass that the sessions end.
describe('the charts', () => {
  test('show players, ticks, money and payout times by the minute, once per minute', async () => {
    const { db } = database;
    await db.insert(gameProcesses).values({ id: 'one', version: '1', slowTickMs: 12 });
    await noteMinute(context);
    const [stake, owed] = [
      { debit: poolOf(lobbyId), credit: spillOf(lobbyId), amount: 3_000_000_000n },
      payoutId,
    ];
    await db.transaction(async (tx) => {
      await post(tx, { key: 'stake', lobbyId, postings: [stake] });
      const payable = payableOf(lobbyId, owed);
      await post(tx, {
        key: 'settle',
        lobbyId,
        postings: [{ debit: spillOf(lobbyId), credit: payable, amount: 1_000_000_000n }],
      });
      await post(tx, {
        key: 'paid',
        lobbyId,
        postings: [{ debit: payable, credit: poolOf(lobbyId), amount: 1_000_000_000n }],
      });
    });
    const completedAt = new Date(clockMs + 8_000);
    await db.update(payouts).set({ status: 'completed', completedAt }).where(eq(payouts.id, payoutId));
    clockMs += 60_000;
    await noteMinute(context);
    await noteMinute(context);
    expect(await db.select().from(consoleMinutes)).toHaveLength(2);
    const latest = async (view: string, range: string) => {
      const { sections } = await call(people.admin, 'GET', `/api/console/view?view=${view}&range=${range}`);
      return sections
        .filter(({ kind }: { kind: string }) => kind === 'chart')
        .flatMap(({ series }: { series: { points: (number | null)[] }[] }) =>
          series.map(({ points }) => Math.max(...points.map((point) => point ?? -1))),
        );
    };
    for (const range of ['day', 'month']) {
      expect(await latest('now', range)).toEqual([0, 12]);
      expect(await latest('money', range)).toEqual([3, 1, 8]);
    }
    clockMs += 36 * 24 * 3_600_000;
    await noteMinute(context);
    await forgetMinutes(context, new Date(clockMs - 35 * 24 * 3_600_000));
    expect(await db.select().from(consoleMinutes)).toHaveLength(1);
  });
});
