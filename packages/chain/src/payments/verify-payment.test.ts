import { describe, expect, test } from 'vitest';
import { findLobbyConfig } from '../accounts/pdas.ts';
import { confirmedTransaction, signatureOf } from '../testing/confirmed-transaction.ts';
import { foreignCall, joinCall, PROGRAM_ID } from '../testing/join-calls.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import type { JoinPayment } from './join-payments.ts';
import { verifyPayment } from './verify-payment.ts';

const lobbyId = 77n;
const wallet = testAddress(1);
const treasury = testAddress(3);
const payment: JoinPayment = {
  lobbyConfig: await findLobbyConfig(PROGRAM_ID, lobbyId),
  player: wallet,
  treasury,
  tokenMint: undefined,
  entryFee: 1_000n,
  platformFee: 50n,
  stake: 950n,
};

const finalized = { slot: 500, confirmations: null, err: null, confirmationStatus: 'finalized' };
const paying = { slot: 500, blockTime: 1, version: 0, ...confirmedTransaction(wallet, [joinCall(payment)]) };
const broken = () => {
  throw new Error('connection reset');
};

type Node = {
  readonly height?: () => unknown;
  readonly status?: () => unknown;
  readonly transaction?: () => unknown;
};

function verify(...nodes: readonly Node[]) {
  const shown = nodes[0]?.transaction === broken ? paying : nodes[0]?.transaction?.();
  const scripted = nodes.map(({ height = () => 600, status = () => finalized, transaction = () => paying }) =>
    scriptedNode({
      getBlockHeight: height,
      getSignatureStatuses: () => ({ context: { slot: 600 }, value: [status()] }),
      getTransaction: transaction,
    }),
  );
  const verdict = verifyPayment({
    nodes: scripted.map(({ rpc }) => rpc),
    signature: signatureOf((shown as typeof paying | undefined | null) ?? paying),
    expected: { programId: PROGRAM_ID, lobbyId, wallet, entryFee: 1_000n, tokenMint: undefined },
    heardAtBlockHeight: 400n,
  });
  return { verdict, asked: () => scripted.flatMap(({ asked }) => asked) };
}

describe('verifyPayment with a slow, failing or forgetful node', () => {
  test('accepts a finalized payment', async () => {
    expect(await verify({}).verdict).toEqual({ kind: 'paid', payment, slot: 500n, surplus: [] });
  });

  test('accepts a payment made through another program', async () => {
    const viaProgram = { ...paying, ...confirmedTransaction(wallet, [foreignCall(1, [joinCall(payment)])]) };
    expect(await verify({ transaction: () => viaProgram }).verdict).toMatchObject({ kind: 'paid', payment });
  });

  test.each([
    ['the height', { height: broken }],
    ['the status', { status: broken }],
    ['the transaction', { transaction: broken }],
  ])('is pending when the node fails to return %s', async (_, node) => {
    expect(await verify(node).verdict).toEqual({ kind: 'pending', reason: 'node-failed' });
  });

  test.each(['processed', 'confirmed'])(
    'is pending while the transaction is only %s',
    async (confirmationStatus) => {
      const status = () => ({ ...finalized, confirmations: 3, confirmationStatus });
      expect(await verify({ status }).verdict).toEqual({ kind: 'pending', reason: 'not-final' });
      const failing = () => ({ ...status(), err: { InstructionError: [0, { Custom: 6004 }] } });
      expect(await verify({ status: failing }).verdict).toEqual({ kind: 'pending', reason: 'not-final' });
    },
  );

  test.each([
    ['is missing', () => null],
    ['comes without its outcome', () => ({ ...paying, meta: null })],
    [
      'comes without its inner instructions',
      () => ({ ...paying, meta: { ...paying.meta, innerInstructions: null } }),
    ],
    [
      'comes without the transfers of its payment',
      () => ({ ...paying, meta: { ...paying.meta, innerInstructions: [] } }),
    ],
    [
      'shows less than the price, which the program would not have taken',
      () => ({ ...paying, ...confirmedTransaction(wallet, [joinCall({ ...payment, stake: 949n })]) }),
    ],
  ])('is pending while the final transaction %s', async (_, transaction) => {
    expect(await verify({ transaction }).verdict).toEqual({ kind: 'pending', reason: 'not-readable' });
  });

  test('refuses a final transaction that no node could show for ten minutes', async () => {
    const unreadableAt = (height: number) =>
      verify({ height: () => height, transaction: () => null }).verdict;
    expect(await unreadableAt(400 + 1_500)).toEqual({ kind: 'pending', reason: 'not-readable' });
    expect(await unreadableAt(400 + 1_501)).toMatchObject({ failure: { code: 'TRANSACTION_FAILED' } });
  });

  test('is pending for an unknown signature until its blockhash has expired on every node', async () => {
    const unknownAt = (height: number) =>
      verify({ height: () => height, status: () => null, transaction: () => null }).verdict;
    expect(await unknownAt(400 + 150 + 200)).toEqual({ kind: 'pending', reason: 'not-seen' });
    expect(await unknownAt(400 + 150 + 201)).toMatchObject({
      kind: 'refused',
      failure: { code: 'TRANSACTION_FAILED' },
    });
  });

  test('is pending for a payment whose status a node has forgotten, but not its transaction', async () => {
    const forgetful = { height: () => 400 + 150 + 201, status: () => null };
    expect(await verify(forgetful).verdict).toEqual({ kind: 'pending', reason: 'not-seen' });
  });

  test('asks for the height before the status, so as not to miss a payment in between', async () => {
    const { verdict, asked } = verify({});
    await verdict;
    expect(asked()).toEqual(['getBlockHeight', 'getSignatureStatuses', 'getTransaction']);
  });

  test('refuses a failed transaction even if its status shows no error', async () => {
    const err = { InstructionError: [0, { Custom: 6004 }] };
    const failed = { ...paying, ...confirmedTransaction(wallet, [joinCall(payment)], { err }) };
    expect(await verify({ transaction: () => failed }).verdict).toEqual({
      kind: 'refused',
      failure: {
        code: 'TRANSACTION_FAILED',
        context: { reason: 'Incorrect platform treasury wallet provided.' },
      },
    });
  });

  test('accepts a payment to the treasury of its time, which may have changed since', async () => {
    const earlier = { ...payment, treasury: testAddress(8) };
    const transaction = { ...paying, ...confirmedTransaction(wallet, [joinCall(earlier)]) };
    expect(await verify({ transaction: () => transaction }).verdict).toMatchObject({ kind: 'paid' });
  });

  test.each([
    ['a token instead', { tokenMint: testAddress(9) }],
    ['another fee', { entryFee: 2_000n, stake: 1_950n }],
  ])('refuses a payment of %s', async (_, change) => {
    const wrong = { ...paying, ...confirmedTransaction(wallet, [joinCall({ ...payment, ...change })]) };
    expect(await verify({ transaction: () => wrong }).verdict).toMatchObject({
      failure: { code: 'PAYMENT_DESTINATION_VERIFICATION_FAILED' },
    });
  });
});

describe('verifyPayment with nodes of several providers', () => {
  const unaware: Node = { status: () => null, transaction: () => null };
  const away: Node = { height: broken, status: broken, transaction: broken };

  test('counts a payment that two nodes show', async () => {
    expect(await verify({}, {}).verdict).toMatchObject({ kind: 'paid' });
    expect(await verify({}, away, {}).verdict).toMatchObject({ kind: 'paid' });
    expect(await verify({}, unaware, {}).verdict).toMatchObject({ kind: 'paid' });
  });

  test.each([
    ['does not know it', unaware],
    ['does not show it', { transaction: () => null }],
    ['is away', away],
    ['does not call it final', { status: () => ({ ...finalized, confirmationStatus: 'confirmed' }) }],
    ['calls it failed', { status: () => ({ ...finalized, err: { InstructionError: [0, 'x'] } }) }],
    ['shows it elsewhere', { transaction: () => ({ ...paying, slot: 501 }) }],
    [
      'shows other amounts',
      { transaction: () => ({ ...paying, meta: { ...paying.meta, preBalances: [1, 2] } }) },
    ],
  ])('does not count one that one node shows while the other %s', async (_, other) => {
    expect(await verify({}, other).verdict).toMatchObject({ kind: 'pending' });
    expect(await verify(other, {}).verdict).toMatchObject({ kind: 'pending' });
  });

  test('gives up on one that no second node has shown for ten minutes', async () => {
    const late = { height: () => 400 + 1_501 };
    expect(await verify(late, { ...late, ...unaware }).verdict).toMatchObject({ kind: 'refused' });
  });

  test('a payment that was signed by nobody else than the node is not one', async () => {
    const bytes = Buffer.from(paying.transaction[0]!, 'base64');
    // The stake, in the message: what the wallet signed was another one.
    bytes[bytes.length - 2]! ^= 1;
    const forged = { ...paying, transaction: [bytes.toString('base64'), 'base64'] };
    expect(await verify({ transaction: () => forged }).verdict).toEqual({
      kind: 'pending',
      reason: 'not-readable',
    });
  });
});
