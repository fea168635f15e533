import { readLobby } from '@engulf/chain/read-configs';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isPaid, type LobbyRow, listAllLobbies, listLobbies } from '../lobbies/lobby-rows.ts';
import { seedLobbies } from '../lobbies/seed-lobbies.ts';
import { auditLog, operatorTransactions } from '../platform/database/operations.ts';
import { ask, confirm, createUser, newestEntry, pay, verifyAll } from '../testing/players.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { createOperator, dumpDatabase, type Operator } from './testing/operator.ts';

const REASON = ['--reason', 'a test'];

let server: TestServer;
let operator: Operator;
let counter = 0;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  operator = createOperator(server.context);
});
afterAll(() => server.dispose());

const newName = () => `Tank ${++counter}`;

async function rowsOf(name: string): Promise<LobbyRow[]> {
  return (await listAllLobbies(server.context.db)).filter((row) => row.name === name);
}

async function onChain(row: LobbyRow) {
  const { rpc, programId } = server.chain;
  return isPaid(row) ? readLobby(rpc, programId, row.chainLobbyId, 'finalized') : undefined;
}

function auditOf(subject: string) {
  return server.context.db.select().from(auditLog).where(eq(auditLog.subject, subject)).orderBy(auditLog.id);
}

async function createPaid(...options: string[]): Promise<LobbyRow> {
  const name = newName();
  const { code, errors } = await operator.run(
    'lobby',
    'create',
    name,
    '--type',
    'normal',
    '--price',
    '0.05',
    ...options,
    ...REASON,
  );
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return (await rowsOf(name))[0]!;
}

describe('lobby create', () => {
  test('makes a lobby on the chain and in the menu, and notes who did it and why', async () => {
    const row = await createPaid('--seats', '4', '--window', '18:00-02:00', '--as', 'bob');
    expect(row).toMatchObject({
      stage: 'ready',
      isLocked: false,
      entryFee: 50_000_000n,
      maxPlayers: 4,
      dailyOpenWindows: [{ startUtc: '18:00', endUtc: '02:00' }],
    });
    expect(await onChain(row)).toMatchObject({ entryFeeAmount: 50_000_000n, isSolLobby: true });
    const notes = await auditOf(row.id);
    expect(notes.map(({ details }) => details['step'])).toEqual(['begun', 'signed', 'done']);
    expect(notes[0]).toMatchObject({ actor: 'bob', action: 'lobby create', reason: 'a test' });
  });

  test('makes free, semi-private and token lobbies', async () => {
    const [free, secret, token] = [newName(), newName(), newName()];
    const { mint, symbol } = server.chain.test!.token;
    await operator.run('lobby', 'create', free, '--type', 'free', '--usd', '2.5', '--bots', '3', ...REASON);
    await operator.run(
      'lobby',
      'create',
      secret,
      '--type',
      'semi-private',
      '--price',
      '1',
      '--code',
      'abc1',
      ...REASON,
    );
    await operator.run(
      'lobby',
      'create',
      token,
      '--type',
      'normal',
      '--price',
      '2.5',
      '--mint',
      mint,
      '--symbol',
      symbol,
      '--locked',
      ...REASON,
    );
    expect((await rowsOf(free))[0]).toMatchObject({
      stage: 'ready',
      freeLobbyEntryUsd: 2_500_000n,
      botCount: 3,
      chainLobbyId: null,
    });
    expect((await rowsOf(secret))[0]).toMatchObject({ lobbyCode: 'ABC1', dailyOpenWindows: [] });
    const [row] = await rowsOf(token);
    expect(row).toMatchObject({ isLocked: true, tokenMint: mint, tokenDecimals: 6, entryFee: 2_500_000n });
    expect(await onChain(row!)).toMatchObject({ isSolLobby: false, tokenMint: mint });
  });

  test('is done once, however often it is run', async () => {
    const row = await createPaid();
    const before = await dumpDatabase(server.context);
    const again = await operator.run(
      'lobby',
      'create',
      row.name,
      '--type',
      'normal',
      '--price',
      '0.05',
      ...REASON,
    );
    expect(again).toMatchObject({ code: 0, output: 'Nothing to change: it is so already.' });
    const other = await operator.run(
      'lobby',
      'create',
      row.name,
      '--type',
      'normal',
      '--price',
      '0.06',
      ...REASON,
    );
    expect(other).toMatchObject({
      code: 1,
      errors: `There is a lobby "${row.name}" already, with another entryFee.`,
    });
    expect(await dumpDatabase(server.context)).toBe(before);
  });

  test('that is killed after any step ends as one open lobby when it is run again', async () => {
    let steps = 0;
    for (let isKilled = true; isKilled; ) {
      const name = newName();
      const argv = ['lobby', 'create', name, '--type', 'normal', '--price', '0.05'];
      isKilled = await operator.runAndKill(++steps, argv);
      const [half] = await rowsOf(name);
      if (half!.stage === 'creating') {
        expect(await listLobbies(server.context.db)).not.toContainEqual(half);
        const other = await operator.run(...argv.slice(0, -1), '0.06', ...REASON);
        expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('was interrupted') });
      }
      expect(await operator.run(...argv, ...REASON)).toMatchObject({ code: 0, errors: '' });
      const rows = await rowsOf(name);
      expect(rows).toMatchObject([{ stage: 'ready', isLocked: false }]);
      expect(await onChain(rows[0]!)).toMatchObject({ entryFeeAmount: 50_000_000n });
      const sent = await server.context.db
        .select()
        .from(operatorTransactions)
        .where(eq(operatorTransactions.subject, rows[0]!.id));
      expect(sent).toMatchObject([{ status: 'finalized' }]);
    }
    // Stored, signed, sent, final, open; the sixth run was not killed.
    expect(steps).toBe(6);
  });

  test.each([
    ['without a type', ['Tank X'], '--type is needed.'],
    [
      'with an unknown type',
      ['Tank X', '--type', 'big'],
      '--type must be one of free, normal, semi-private, not "big".',
    ],
    ['without a price', ['Tank X', '--type', 'normal'], '--price is needed.'],
    [
      'with a price of zero',
      ['Tank X', '--type', 'normal', '--price', '0'],
      '--price must be an amount of SOL above zero',
    ],
    [
      'with too many decimals',
      ['Tank X', '--type', 'normal', '--price', '0.0000000001'],
      'at most 9 decimals',
    ],
    [
      'with bots that play for money',
      ['Tank X', '--type', 'normal', '--price', '1', '--bots', '3'],
      '--bots is for free lobbies.',
    ],
    [
      'with a price that is free',
      ['Tank X', '--type', 'free', '--price', '1'],
      '--price is for lobbies that cost something.',
    ],
    [
      'with hours that make no sense',
      ['Tank X', '--type', 'free', '--window', '25:00-26:00'],
      '--window must be 18:00-02:00',
    ],
    ['without a code', ['Tank X', '--type', 'semi-private', '--price', '1'], '--code is needed.'],
    ['with a short name', ['X', '--type', 'free'], 'The name must have 3 to 24 characters'],
    ['with too many words', ['Tank', 'X', '--type', 'free'], '"X" is one word too many; use quotes.'],
    [
      'with a mint that is none',
      [
        'Tank X',
        '--type',
        'normal',
        '--price',
        '1',
        '--mint',
        '11111111111111111111111111111111',
        '--symbol',
        'X',
      ],
      'is not the mint of a token',
    ],
    [
      'with an id that is taken',
      ['Tank X', '--type', 'normal', '--price', '1', '--id', '1'],
      'A lobby has or had the id 1. Ids are used once.',
    ],
    ['without a reason', ['Tank X', '--type', 'free', '--reason', ' '], '--reason "…" is needed'],
  ])('%s is refused with a useful message and changes nothing', async (_, options, message) => {
    const before = await dumpDatabase(server.context);
    const { code, errors } = await operator.run('lobby', 'create', ...REASON, ...options);
    expect(code).toBeGreaterThan(0);
    expect(errors).toContain(message);
    expect(await dumpDatabase(server.context)).toBe(before);
  });
});

describe('lobby price', () => {
  const argv = (name: string, price: string) => ['lobby', 'price', name, price];

  test('waits for those who are paying; their price holds, and nobody is asked to pay meanwhile', async () => {
    const row = await createPaid();
    const [early, late] = [await server.newWallet(), await server.newWallet()];
    const [first, second] = [await createUser(server.context, early), await createUser(server.context, late)];
    expect(await ask(server.context, first, row)).toMatchObject({ value: { status: 'created' } });
    let isPaid = false;
    operator.onPause = async () => {
      const [now] = await rowsOf(row.name);
      if (isPaid || now!.nextEntryFee === null) return;
      isPaid = true;
      expect(await ask(server.context, second, row)).toMatchObject({ error: { code: 'ENTRIES_PAUSED' } });
      const signature = await pay(server.context, early, row);
      await confirm(server.context, first, row, signature);
      await verifyAll(server.context);
    };
    const changed = await operator.run(...argv(row.name, '0.08'), ...REASON);
    expect(changed).toMatchObject({
      code: 0,
      output: expect.stringContaining('waiting for 1 who are paying now'),
    });
    expect(await newestEntry(server.context, first)).toMatchObject({
      state: 'ticketSent',
      entryFee: 50_000_000n,
      stake: 47_500_000n,
    });
    const [now] = await rowsOf(row.name);
    expect(now).toMatchObject({ entryFee: 80_000_000n, nextEntryFee: null });
    expect(await ask(server.context, second, now!)).toMatchObject({
      value: { status: 'created', entryFee: '80000000' },
    });
    const signature = await pay(server.context, late, now!);
    await confirm(server.context, second, now!, signature);
    await verifyAll(server.context);
    expect(await newestEntry(server.context, second)).toMatchObject({
      state: 'ticketSent',
      stake: 76_000_000n,
    });
  });

  test('that is killed after any step leaves chain and menu equal when it is run again', async () => {
    const row = await createPaid();
    let steps = 0;
    for (let isKilled = true; isKilled; ) {
      const price = `0.${10 + ++steps}`;
      isKilled = await operator.runAndKill(steps, argv(row.name, price));
      const [half] = await rowsOf(row.name);
      if (half!.nextEntryFee !== null) {
        const other = await operator.run(...argv(row.name, '0.5'), ...REASON);
        expect(other).toMatchObject({
          code: 1,
          errors: expect.stringContaining(`lobby price "${row.name}" ${price}`),
        });
      }
      expect(await operator.run(...argv(row.name, price), ...REASON)).toMatchObject({ code: 0, errors: '' });
      const [now] = await rowsOf(row.name);
      expect(now).toMatchObject({ entryFee: BigInt(10 + steps) * 10_000_000n, nextEntryFee: null });
      expect(await onChain(now!)).toMatchObject({ entryFeeAmount: now!.entryFee });
    }
    // Paused, signed, sent, final, open again; the sixth run was not killed.
    expect(steps).toBe(6);
  });

  test('is refused for a free lobby', async () => {
    const refused = await operator.run(...argv('Petri Dish', '1'), ...REASON);
    expect(refused).toMatchObject({ code: 1, errors: '"Petri Dish" is free.' });
  });
});

describe('lobby remove', () => {
  test('that is killed after any step ends with the lobby gone when it is run again', async () => {
    let steps = 0;
    for (let isKilled = true; isKilled; ) {
      const row = await createPaid('--locked');
      const argv = ['lobby', 'remove', row.name];
      isKilled = await operator.runAndKill(++steps, argv);
      const again = await operator.run('lobby', 'remove', row.id, ...REASON, '--yes');
      expect(again).toMatchObject({ code: 0, errors: '' });
      expect(await rowsOf(row.name)).toMatchObject([{ stage: 'removed' }]);
      expect(await onChain(row)).toBeUndefined();
    }
    // Hidden, signed, sent, final, removed; the sixth run was not killed.
    expect(steps).toBe(6);
  });

  test('is refused while it is open, and while anything is owed', async () => {
    const row = await createPaid();
    const remove = () => operator.run('lobby', 'remove', row.name, ...REASON, '--yes');
    expect(await remove()).toMatchObject({ code: 1, errors: expect.stringContaining('it is not locked') });
    const wallet = await server.newWallet();
    const user = await createUser(server.context, wallet);
    await ask(server.context, user, row);
    const signature = await pay(server.context, wallet, row);
    await operator.run('lobby', 'lock', row.name, ...REASON);
    const before = await dumpDatabase(server.context);
    expect(await remove()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('1 entries that are not settled'),
    });
    expect(await dumpDatabase(server.context)).toBe(before);
    await confirm(server.context, user, row, signature);
    await verifyAll(server.context);
    expect(await remove()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('1 payouts that are not completed'),
    });
    expect((await rowsOf(row.name))[0]).toMatchObject({ stage: 'ready' });
    expect(await onChain(row)).toBeDefined();
  });

  test('refuses if a payment is on the chain that nobody has booked, and the payer is refunded', async () => {
    const row = await createPaid('--locked');
    await pay(server.context, await server.newWallet(), row);
    const removed = await operator.run('lobby', 'remove', row.name, ...REASON, '--yes');
    expect(removed).toMatchObject({
      code: 1,
      errors: expect.stringContaining('payouts that are not completed'),
    });
    expect(await onChain(row)).toBeDefined();
  });

  test('asks for the name, unless --yes is given', async () => {
    const row = await createPaid('--locked');
    const remove = () => operator.run('lobby', 'remove', row.name, ...REASON);
    expect(await remove()).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    operator.answer = 'something else';
    expect(await remove()).toMatchObject({ code: 1, errors: 'Not confirmed. Nothing was changed.' });
    expect((await rowsOf(row.name))[0]).toMatchObject({ stage: 'ready' });
    operator.answer = row.name;
    expect(await remove()).toMatchObject({ code: 0 });
  });

  test('frees the name but never the id, and a removed seed does not come back', async () => {
    const seed = await server.lobby('The Deep');
    await operator.run('lobby', 'lock', seed.name, ...REASON);
    expect(await operator.run('lobby', 'remove', seed.name, ...REASON, '--yes')).toMatchObject({ code: 0 });
    await seedLobbies(server.context);
    expect(await rowsOf(seed.name)).toMatchObject([{ stage: 'removed' }]);
    const create = (...more: string[]) =>
      operator.run('lobby', 'create', seed.name, '--type', 'normal', '--price', '1', ...more, ...REASON);
    expect(await create('--id', '2')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Ids are used once'),
    });
    expect(await create()).toMatchObject({ code: 0 });
    expect(await rowsOf(seed.name)).toHaveLength(2);
  });
});

describe('the other changes of a lobby', () => {
  test('lock, unlock, drain, windows and code change the row and nothing else, with a note each', async () => {
    const row = await createPaid();
    const now = async () => (await rowsOf(row.name))[0]!;
    const run = (...words: string[]) =>
      operator.run('lobby', words[0]!, row.name, ...words.slice(1), ...REASON);
    await run('lock');
    expect(await now()).toMatchObject({ isLocked: true });
    await run('unlock');
    expect(await now()).toMatchObject({ isLocked: false });
    await run('drain', '--in', '10m');
    expect((await now()).drainsAtMs).toBeGreaterThan(server.context.nowMs() + 9 * 60_000);
    await run('windows', '--window', '18:00-02:00', '--window', '2026-12-01T18:00/2026-12-01T22:00');
    expect((await now()).dailyOpenWindows).toEqual([
      { startUtc: '18:00', endUtc: '02:00' },
      { startUtc: '2026-12-01T18:00', endUtc: '2026-12-01T22:00' },
    ]);
    expect(await run('windows')).toMatchObject({
      code: 2,
      errors: 'Give --window once or more, or --always.',
    });
    expect(await run('code', 'ABC')).toMatchObject({ code: 1, errors: `"${row.name}" is not semi-private.` });
    expect(await operator.run('lobby', 'code', 'Inner Circle', 'paramo', ...REASON)).toMatchObject({
      code: 0,
    });
    expect((await rowsOf('Inner Circle'))[0]).toMatchObject({ lobbyCode: 'PARAMO' });
    const actions = (await auditOf(row.id)).map(({ action }) => action).slice(3);
    expect(actions).toEqual(['lobby lock', 'lobby unlock', 'lobby drain', 'lobby windows']);
  });

  test('a dry run of each says what would change and changes nothing', async () => {
    const row = await createPaid();
    const before = await dumpDatabase(server.context);
    const chainBefore = await onChain(row);
    const runs = [
      ['create', 'Tank Y', '--type', 'normal', '--price', '1'],
      ['price', row.name, '0.9'],
      ['lock', row.name],
      ['drain', row.name, '--in', '5m'],
      ['windows', row.name, '--window', '18:00-02:00'],
    ];
    for (const words of runs) {
      const { code, output } = await operator.run('lobby', ...words, '--dry-run');
      expect({ words, code, output }).toMatchObject({
        code: 0,
        output: expect.stringMatching(/^This would change:\n {2}\S/),
      });
    }
    expect(await dumpDatabase(server.context)).toBe(before);
    expect(await onChain(row)).toEqual(chainBefore);
  });

  test('an unknown lobby is answered with the known ones', async () => {
    const { code, errors } = await operator.run('lobby', 'lock', 'Nowhere', ...REASON);
    expect(code).toBe(1);
    expect(errors).toMatch(/^There is no lobby "Nowhere"\. Lobbies: .*"Petri Dish"/);
  });

  test('the list shows every lobby, as JSON, too', async () => {
    const { output } = await operator.run('lobby', 'list');
    expect(output).toMatch(/^name +type +price/);
    const { output: json } = await operator.run('lobby', 'list', '--json');
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({ name: 'Petri Dish', price: 'free', state: 'open' }),
    );
  });
});
