import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MEMO_PROGRAM } from '../payouts/claim-message.ts';
import { type Call, confirmedTransaction } from '../testing/confirmed-transaction.ts';
import { foreignCall, joinCall, PROGRAM_ID, transferCall } from '../testing/join-calls.ts';
import { testAddress } from '../testing/people.ts';
import { writeInputsMemo } from './inputs-memo.ts';
import { isDecodable, type JoinPayment, readJoinPayments } from './join-payments.ts';

const player = testAddress(1);
const payment: JoinPayment = {
  lobbyConfig: testAddress(2),
  player,
  treasury: testAddress(3),
  tokenMint: undefined,
  entryFee: 1_000n,
  platformFee: 50n,
  stake: 950n,
};

function read(
  calls: readonly Call[],
  options: Parameters<typeof confirmedTransaction>[2] = {},
): JoinPayment[] {
  return readJoinPayments(confirmedTransaction(player, calls, options), PROGRAM_ID);
}

describe('readJoinPayments', () => {
  test('reads payments in SOL and in a token', () => {
    const inToken = { ...payment, tokenMint: testAddress(4) };
    expect(read([joinCall(payment), joinCall(inToken)])).toEqual([payment, inToken]);
  });

  test('reads a payment made through other programs, at any depth', () => {
    expect(read([foreignCall(1, [foreignCall(2, [joinCall(payment)])])])).toEqual([payment]);
  });

  test('does not count other transfers in the same transaction', () => {
    const stray = transferCall(player, payment.lobbyConfig, 7n);
    const beside = [stray, joinCall(payment), stray, foreignCall(1, [stray, joinCall(payment), stray])];
    expect(read(beside)).toEqual([payment, payment]);
  });

  test('reports the amounts actually transferred, not those the instruction names', () => {
    const { calls, ...join } = joinCall(payment);
    expect(read([{ ...join, calls: calls.slice(0, 1) }])).toEqual([{ ...payment, stake: 0n }]);
    expect(read([{ ...join, calls: [] }])).toEqual([{ ...payment, platformFee: 0n, stake: 0n }]);
  });

  test('finds nothing in a failed transaction or one of another program', () => {
    expect(read([joinCall(payment)], { err: { InstructionError: [0, { Custom: 6004 }] } })).toEqual([]);
    expect(read([{ ...joinCall(payment), programAddress: testAddress(9) }])).toEqual([]);
    expect(read([{ ...joinCall(payment), data: new Uint8Array(8) }])).toEqual([]);
    expect(read([{ ...joinCall(payment), data: Uint8Array.of(127) }])).toEqual([]);
  });

  test('reads answers of nodes that omit stack heights', () => {
    expect(read([joinCall(payment)], { withoutStackHeights: true })).toEqual([payment]);
  });

  test('cannot tell what a join that another program called has paid if the stack heights are missing', () => {
    const wrapped = [foreignCall(1, [joinCall(payment)])];
    expect(isDecodable(confirmedTransaction(player, wrapped))).toBe(true);
    expect(isDecodable(confirmedTransaction(player, wrapped, { withoutStackHeights: true }))).toBe(false);
  });

  test('finds every payment in a random call tree and nothing else', () => {
    fc.assert(
      fc.property(forest, (trees) => {
        expect(read(trees.map(({ call }) => call))).toEqual(trees.flatMap(({ payments }) => payments));
      }),
      { numRuns: 150 },
    );
  });
});

describe('the key for inputs', () => {
  const key = 'ab'.repeat(32);
  const memo = (text: string): Call => ({
    programAddress: MEMO_PROGRAM,
    data: new TextEncoder().encode(text),
    calls: [],
  });
  const keysOf = (...calls: Call[]) => read([joinCall(payment), ...calls]).map(({ inputsKey }) => inputsKey);

  test('is what the memo beside the join names, wherever it stands', () => {
    const named = memo(writeInputsMemo(key));
    expect(keysOf(named)).toEqual([key]);
    expect(read([memo('hello'), named, joinCall(payment), joinCall(payment)])).toMatchObject([
      { inputsKey: key },
      { inputsKey: key },
    ]);
  });

  test('is unknown if the transaction names none, two, or what is no key, and the payment counts all the same', () => {
    const named = writeInputsMemo(key);
    const wrong = [
      'engulf1 inputs',
      `${named} `,
      named.slice(0, -1),
      ` ${named}`,
      `\ufeff${named}`,
      `${named.slice(0, -1)}t`,
      '',
    ];
    for (const text of wrong) expect(keysOf(memo(text)), text).toEqual([undefined]);
    expect(keysOf(memo(named), memo(writeInputsMemo('cd'.repeat(32))))).toEqual([undefined]);
    expect(keysOf(memo(named), memo(named))).toEqual([undefined]);
  });

  test('is not what a program that was called names', () => {
    expect(keysOf(foreignCall(1, [memo(writeInputsMemo(key))]))).toEqual([undefined]);
    expect(keysOf({ ...memo(writeInputsMemo(key)), programAddress: testAddress(9) })).toEqual([undefined]);
  });
});

/** A random call tree and its payments in the order of execution. */
type Tree = {
  readonly call: Call;
  readonly payments: readonly JoinPayment[];
};

const joins: fc.Arbitrary<Tree> = fc
  .record({
    lobby: fc.integer({ min: 10, max: 12 }),
    who: fc.integer({ min: 20, max: 22 }),
    isToken: fc.boolean(),
    platformFee: fc.bigInt({ min: 0n, max: 2n ** 40n }),
    stake: fc.bigInt({ min: 0n, max: 2n ** 62n }),
  })
  .map(({ lobby, who, isToken, platformFee, stake }) => {
    const made: JoinPayment = {
      lobbyConfig: testAddress(lobby),
      player: testAddress(who),
      treasury: testAddress(3),
      tokenMint: isToken ? testAddress(4) : undefined,
      entryFee: platformFee + stake,
      platformFee,
      stake,
    };
    return { call: joinCall(made), payments: [made] };
  });

const strays: fc.Arbitrary<Tree> = fc
  .record({ from: fc.integer({ min: 20, max: 22 }), to: fc.integer({ min: 10, max: 12 }) })
  .map(({ from, to }) => ({ call: transferCall(testAddress(from), testAddress(to), 5n), payments: [] }));

const { forest } = fc.letrec<{ forest: Tree[]; tree: Tree }>((tie) => ({
  forest: fc.array(tie('tree'), { maxLength: 3 }),
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    joins,
    strays,
    fc.tuple(fc.integer({ min: 0, max: 3 }), tie('forest')).map(([number, trees]) => ({
      call: foreignCall(
        number,
        trees.map(({ call }) => call),
      ),
      payments: trees.flatMap(({ payments }) => payments),
    })),
  ),
}));
