import { eq } from 'drizzle-orm';
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
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { listLobbies } from '../lobbies/lobby-rows.ts';
import { operatorTransactions } from '../platform/database/operations.ts';

let server: TestServer;
let operator: Operator;

beforeAll(async () => {
  server = await startTestServer();
});
beforeEach(() => {
  operator = createOperator(server.context);
});
afterAll(() => server.dispose());

describe('lobby create', () => {
  test('makes a lobby on the chain and in the menu, and notes who did it and why', async () => {
    const row = await createPaidLobby(
      server,
      operator,
      '--seats',
      '4',
      '--window',
      '18:00-02:00',
      '--as',
      'bob',
    );
    expect(row).toMatchObject({
      stage: 'ready',
      isLocked: false,
      entryFee: 50_000_000n,
      maxPlayers: 4,
      dailyOpenWindows: [{ startUtc: '18:00', endUtc: '02:00' }],
    });
    expect(await lobbyOnChain(server, row)).toMatchObject({ entryFeeAmount: 50_000_000n, isSolLobby: true });
    const notes = await notesAbout(server, row.id);
    expect(notes.map(({ details }) => details['step'])).toEqual(['begun', 'signed', 'done']);
    expect(notes[0]).toMatchObject({ actor: 'bob', action: 'lobby create', reason: 'a test' });
  });

  test('makes free, semi-private and token lobbies', async () => {
    const [free, secret, token] = [newLobbyName(), newLobbyName(), newLobbyName()];
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
    expect((await lobbiesNamed(server, free))[0]).toMatchObject({
      stage: 'ready',
      freeLobbyEntryUsd: 2_500_000n,
      botCount: 3,
      chainLobbyId: null,
    });
    expect((await lobbiesNamed(server, secret))[0]).toMatchObject({
      lobbyCode: 'ABC1',
      dailyOpenWindows: [],
    });
    const [row] = await lobbiesNamed(server, token);
    expect(row).toMatchObject({ isLocked: true, tokenMint: mint, tokenDecimals: 6, entryFee: 2_500_000n });
    expect(await lobbyOnChain(server, row!)).toMatchObject({ isSolLobby: false, tokenMint: mint });
  });

  test('asks for limits of a token first, without which its payouts would not be signed', async () => {
    const { chain } = server;
    const { mint, symbol } = chain.test!.token;
    // As on a public cluster, where no token is play money.
    const strict = createOperator({ ...server.context, chain: { ...chain, test: undefined } });
    const before = await dumpDatabase(server.context);
    const options = ['--type', 'normal', '--price', '1', '--mint', mint, '--symbol', symbol];
    expect(await strict.run('lobby', 'create', newLobbyName(), ...options, ...REASON)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('List it in PAYOUT_LIMIT_TOKENS'),
    });
    expect(await dumpDatabase(server.context)).toBe(before);
  });

  test('is done once, however often it is run', async () => {
    const row = await createPaidLobby(server, operator);
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
      const name = newLobbyName();
      const argv = ['lobby', 'create', name, '--type', 'normal', '--price', '0.05'];
      isKilled = await operator.runAndKill(++steps, argv);
      const [half] = await lobbiesNamed(server, name);
      if (half!.stage === 'creating') {
        expect(await listLobbies(server.context.db)).not.toContainEqual(half);
        const other = await operator.run(...argv.slice(0, -1), '0.06', ...REASON);
        expect(other).toMatchObject({ code: 1, errors: expect.stringContaining('was interrupted') });
      }
      expect(await operator.run(...argv, ...REASON)).toMatchObject({ code: 0, errors: '' });
      const rows = await lobbiesNamed(server, name);
      expect(rows).toMatchObject([{ stage: 'ready', isLocked: false }]);
      expect(await lobbyOnChain(server, rows[0]!)).toMatchObject({ entryFeeAmount: 50_000_000n });
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
