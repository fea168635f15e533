import { getTransferSolInstruction } from '@solana-program/system';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createPaidLobby,
  lobbiesNamed,
  lobbyOnChain,
  newLobbyName,
  notesAbout,
  REASON,
} from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { auditLedger } from '../../testing/audit-ledger.ts';
import { withLog, withNode } from '../../testing/fake-node.ts';
import { ask, confirm, createUser, newestEntry, pay, payoutsOf, verifyAll } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { seedLobbies } from '../lobbies/seed-lobbies.ts';
import { giftsOf, spillOf } from '../money/ledger/accounts.ts';
import { readLobbyBooks } from '../money/ledger/books.ts';
import { post } from '../money/ledger/post.ts';
import { checkSolvency } from '../money/solvency.ts';
import { gameProcesses } from '../platform/database/games.ts';
import { createSolvencyCopy } from '../solvency/solvency-copy.ts';
import { publishReading } from '../solvency/take-reading.ts';

let server: TestServer;
let operator: Operator;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  operator = createOperator(server.context);
});
afterAll(() => server.dispose());

describe('lobby price', () => {
  const argv = (name: string, price: string) => ['lobby', 'price', name, price];

  test('waits for those who are paying; their price holds, and nobody is asked to pay meanwhile', async () => {
    const row = await createPaidLobby(server, operator);
    const [early, late] = [await server.newWallet(), await server.newWallet()];
    const [first, second] = [await createUser(server.context, early), await createUser(server.context, late)];
    expect(await ask(server.context, first, row)).toMatchObject({ value: { status: 'created' } });
    let isPaid = false;
    operator.onPause = async () => {
      const [now] = await lobbiesNamed(server, row.name);
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
    const [now] = await lobbiesNamed(server, row.name);
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
    const row = await createPaidLobby(server, operator);
    let steps = 0;
    for (let isKilled = true; isKilled; ) {
      const price = `0.${10 + ++steps}`;
      isKilled = await operator.runAndKill(steps, argv(row.name, price));
      const [half] = await lobbiesNamed(server, row.name);
      if (half!.nextEntryFee !== null) {
        const other = await operator.run(...argv(row.name, '0.5'), ...REASON);
        expect(other).toMatchObject({
          code: 1,
          errors: expect.stringContaining(`lobby price "${row.name}" ${price}`),
        });
      }
      expect(await operator.run(...argv(row.name, price), ...REASON)).toMatchObject({ code: 0, errors: '' });
      const [now] = await lobbiesNamed(server, row.name);
      expect(now).toMatchObject({ entryFee: BigInt(10 + steps) * 10_000_000n, nextEntryFee: null });
      expect(await lobbyOnChain(server, now!)).toMatchObject({ entryFeeAmount: now!.entryFee });
    }
    // Paused, signed, sent, final, open again; the sixth run was not killed.
    expect(steps).toBe(6);
  });

  test('by two operators at once is made by one of them, and the other is refused', async () => {
    const row = await createPaidLobby(server, operator);
    const run = (price: string) => createOperator(server.context).run(...argv(row.name, price), ...REASON);
    const [lower, higher] = await Promise.all([run('0.07'), run('0.08')]);
    expect([lower, higher].map(({ code }) => code).toSorted()).toEqual([0, 1]);
    const [now] = await lobbiesNamed(server, row.name);
    const entryFee = lower.code === 0 ? 70_000_000n : 80_000_000n;
    expect(now).toMatchObject({ entryFee, nextEntryFee: null });
    expect(await lobbyOnChain(server, now!)).toMatchObject({ entryFeeAmount: entryFee });
  });

  test('asks before an unusual one', async () => {
    const row = await createPaidLobby(server, operator);
    const unusual = await operator.run(...argv(row.name, '5000'), ...REASON);
    expect(unusual).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    expect(unusual.output).toContain('the price is unusual: 5000 SOL');
    expect(await lobbiesNamed(server, row.name)).toMatchObject([{ entryFee: 50_000_000n }]);
    const name = newLobbyName();
    const create = ['lobby', 'create', name, '--type', 'normal', '--price', '0.0000001'];
    expect(await operator.run(...create, ...REASON)).toMatchObject({ code: 2 });
    expect(await lobbiesNamed(server, name)).toEqual([]);
    expect(await operator.run(...create, ...REASON, '--yes')).toMatchObject({ code: 0 });
    await operator.run('lobby', 'lock', name, ...REASON);
    expect(await operator.run('lobby', 'remove', name, ...REASON, '--yes')).toMatchObject({ code: 0 });
  });

  test('that the chain refuses leaves entries open at the old price', async () => {
    const row = await createPaidLobby(server, operator);
    let simulations = 0;
    const refusing = withNode(server.context, {
      simulateTransaction: async (real) => {
        const answer = await real();
        // Accepted when it is prepared, and refused when it is to be signed.
        if (++simulations === 1) return answer;
        return { ...answer, value: { ...answer.value, err: { InstructionError: [0n, { Custom: 6009n }] } } };
      },
    });
    const refused = await createOperator(refusing).run(...argv(row.name, '0.08'), ...REASON);
    expect(refused).toMatchObject({
      code: 1,
      errors: expect.stringContaining('The chain would refuse this'),
    });
    expect(refused.output).toContain('entries continue at the old price');
    expect(await lobbiesNamed(server, row.name)).toMatchObject([
      { entryFee: 50_000_000n, nextEntryFee: null },
    ]);
    const dry = await createOperator(refusing).run(...argv(row.name, '0.08'), '--dry-run');
    expect(dry).toMatchObject({ code: 1, errors: expect.stringContaining('The chain would refuse this') });
    const user = await createUser(server.context, await server.newWallet());
    expect(await ask(server.context, user, row)).toMatchObject({ value: { status: 'created' } });
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
      const row = await createPaidLobby(server, operator, '--locked');
      const argv = ['lobby', 'remove', row.name];
      isKilled = await operator.runAndKill(++steps, argv);
      const again = await operator.run('lobby', 'remove', row.id, ...REASON, '--yes');
      expect(again).toMatchObject({ code: 0, errors: '' });
      expect(await lobbiesNamed(server, row.name)).toMatchObject([{ stage: 'removed' }]);
      expect(await lobbyOnChain(server, row)).toBeUndefined();
    }
    // Hidden, signed, sent, final, removed; the sixth run was not killed.
    expect(steps).toBe(6);
  });

  test('is refused while it is open, and while anything is owed', async () => {
    const row = await createPaidLobby(server, operator);
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
    expect((await lobbiesNamed(server, row.name))[0]).toMatchObject({ stage: 'ready' });
    expect(await lobbyOnChain(server, row)).toBeDefined();
  });

  test('refuses if a payment is on the chain that nobody has booked, and the payer is refunded', async () => {
    const row = await createPaidLobby(server, operator, '--locked');
    const wallet = await server.newWallet();
    await pay(server.context, wallet, row);
    const removed = await operator.run('lobby', 'remove', row.name, ...REASON, '--yes');
    expect(removed).toMatchObject({
      code: 1,
      errors: expect.stringContaining('payouts that are not completed'),
    });
    expect(await payoutsOf(server.context, wallet)).toMatchObject([{ isRefund: true, amount: 47_500_000n }]);
    expect(await lobbyOnChain(server, row)).toBeDefined();
  });

  test('sends gifts to the treasury, if told to, and books it', async () => {
    const row = await createPaidLobby(server, operator, '--locked');
    const giver = await server.newWallet();
    const { address: pool } = (await lobbyOnChain(server, row))!;
    await server.sendFrom(
      giver,
      getTransferSolInstruction({ source: giver, destination: pool, amount: 3_000_000n }),
    );
    expect(await operator.run('reconcile', row.name, ...REASON)).toMatchObject({ code: 0 });
    const remove = (...more: string[]) =>
      operator.run('lobby', 'remove', row.name, ...more, ...REASON, '--yes');
    expect(await remove()).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Strangers gave 0.003 SOL'),
    });
    const { treasury } = await server.chain.readPlatform();
    const balance = async () => (await server.chain.rpc.getBalance(treasury).send()).value;
    const before = await balance();
    expect(await remove('--sweep-gifts')).toMatchObject({ code: 0 });
    expect(await balance()).toBe(before + 3_000_000n);
    expect((await auditLedger(server.context.db)).faults).toEqual([]);
    const books = (await readLobbyBooks(server.context.db)).find(({ lobbyId }) => lobbyId === row.id);
    expect(books).toMatchObject({ pool: 0n, gifts: 0n });
  });

  test('sends what is left of leavers to the treasury, if told to', async () => {
    const row = await createPaidLobby(server, operator, '--locked');
    const giver = await server.newWallet();
    const { address: pool } = (await lobbyOnChain(server, row))!;
    const amount = 3_000_000n;
    await server.sendFrom(giver, getTransferSolInstruction({ source: giver, destination: pool, amount }));
    await operator.run('reconcile', row.name, ...REASON);
    const left = { debit: giftsOf(row.id), credit: spillOf(row.id), amount };
    await server.context.db.transaction((tx) =>
      post(tx, { key: `left:${row.id}`, lobbyId: row.id, postings: [left] }),
    );
    const argv = ['lobby', 'remove', row.name];
    expect(await operator.run(...argv, ...REASON, '--yes')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('3000000 base units of spill'),
    });
    const { treasury } = await server.chain.readPlatform();
    const balance = async () => (await server.chain.rpc.getBalance(treasury).send()).value;
    const before = await balance();
    // Killed when the row says so, run again without the option.
    await operator.runAndKill(1, [...argv, '--write-off-spill']);
    expect(await operator.run(...argv, ...REASON, '--yes')).toMatchObject({ code: 0, errors: '' });
    expect(await balance()).toBe(before + amount);
    expect((await auditLedger(server.context.db)).faults).toEqual([]);
  });

  test('is not called uncovered, or short, while it is half removed', async () => {
    const row = await createPaidLobby(server, operator, '--locked');
    // Its pool is gone from the chain, and the row does not know yet.
    await operator.runAndKill(4, ['lobby', 'remove', row.name]);
    expect(await lobbyOnChain(server, row)).toBeUndefined();
    const { context, codes } = withLog(server.context);
    await publishReading(context, row.id);
    await checkSolvency(context, row.id, { searchUnproven: async () => undefined, surpluses: new Set() });
    const copy = createSolvencyCopy(context, { explorerAccountUrl: null });
    expect((await copy.read()).lobbies.filter(({ lobbyId }) => lobbyId === row.id)).toEqual([]);
    expect(codes).toEqual([]);
  });

  test('asks for the name, unless --yes is given', async () => {
    const row = await createPaidLobby(server, operator, '--locked');
    const remove = () => operator.run('lobby', 'remove', row.name, ...REASON);
    expect(await remove()).toMatchObject({ code: 2, errors: expect.stringContaining('--yes') });
    operator.answer = 'something else';
    expect(await remove()).toMatchObject({ code: 1, errors: 'Not confirmed. Nothing was changed.' });
    expect((await lobbiesNamed(server, row.name))[0]).toMatchObject({ stage: 'ready' });
    operator.answer = row.name;
    expect(await remove()).toMatchObject({ code: 0 });
  });

  test('frees the name but never the id, and a removed seed does not come back', async () => {
    const seed = await server.lobby('The Deep');
    await operator.run('lobby', 'lock', seed.name, ...REASON);
    expect(await operator.run('lobby', 'remove', seed.name, ...REASON, '--yes')).toMatchObject({ code: 0 });
    await seedLobbies(server.context);
    expect(await lobbiesNamed(server, seed.name)).toMatchObject([{ stage: 'removed' }]);
    const create = (...more: string[]) =>
      operator.run('lobby', 'create', seed.name, '--type', 'normal', '--price', '1', ...more, ...REASON);
    expect(await create('--id', '2')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Ids are used once'),
    });
    expect(await create()).toMatchObject({ code: 0 });
    expect(await lobbiesNamed(server, seed.name)).toHaveLength(2);
  });
});

describe('the other changes of a lobby', () => {
  test('lock, unlock, drain, windows and code change the row and nothing else, with a note each', async () => {
    const row = await createPaidLobby(server, operator);
    const now = async () => (await lobbiesNamed(server, row.name))[0]!;
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
    expect((await lobbiesNamed(server, 'Inner Circle'))[0]).toMatchObject({ lobbyCode: 'PARAMO' });
    const actions = (await notesAbout(server, row.id)).map(({ action }) => action).slice(3);
    expect(actions).toEqual(['lobby lock', 'lobby unlock', 'lobby drain', 'lobby windows']);
  });

  test('a dry run of each says what would change and changes nothing', async () => {
    const row = await createPaidLobby(server, operator);
    const before = await dumpDatabase(server.context);
    const chainBefore = await lobbyOnChain(server, row);
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
    expect(await lobbyOnChain(server, row)).toEqual(chainBefore);
  });

  test('an unknown lobby is answered with the known ones', async () => {
    const { code, errors } = await operator.run('lobby', 'lock', 'Nowhere', ...REASON);
    expect(code).toBe(1);
    expect(errors).toMatch(/^There is no lobby "Nowhere"\. Lobbies: .*"Petri Dish"/);
  });

  test('the list shows every lobby, and also prints JSON', async () => {
    const { output } = await operator.run('lobby', 'list');
    expect(output).toMatch(/^name +type +price/);
    const { output: json } = await operator.run('lobby', 'list', '--json');
    expect(JSON.parse(json)).toContainEqual(
      expect.objectContaining({ name: 'Petri Dish', price: 'free', state: 'open' }),
    );
  });
});

describe('lobby region', () => {
  test('says what it would change, warns of a region without a process, and leaves a note', async () => {
    const row = await createPaidLobby(server, operator);
    await server.context.db.delete(gameProcesses);
    await server.context.db.insert(gameProcesses).values({ id: row.id, region: 'eu', version: 'one' });
    const move = ['lobby', 'region', row.name, '--to', 'us'];
    const dry = await operator.run(...move, '--dry-run');
    expect(dry.output).toContain('no game process is in us now, only in eu');
    expect(await lobbiesNamed(server, row.name)).toMatchObject([{ region: null }]);
    expect(await operator.run(...move, ...REASON)).toMatchObject({ code: 0 });
    expect(await lobbiesNamed(server, row.name)).toMatchObject([{ region: 'us' }]);
    expect(await notesAbout(server, row.id)).toContainEqual(
      expect.objectContaining({ details: { before: { region: null }, after: { region: 'us' } } }),
    );
    const near = await operator.run('lobby', 'region', row.name, '--to', 'eu', ...REASON);
    expect(near.output).not.toContain('no game process');
    expect(await operator.run('lobby', 'region', row.name, '--anywhere', ...REASON)).toMatchObject({
      code: 0,
    });
    expect(await lobbiesNamed(server, row.name)).toMatchObject([{ region: null }]);
    for (const wrong of [['--to', 'a<b'], [], ['--to', 'eu', '--anywhere']])
      expect(await operator.run('lobby', 'region', row.name, ...wrong, ...REASON)).toMatchObject({ code: 2 });
  });
});
