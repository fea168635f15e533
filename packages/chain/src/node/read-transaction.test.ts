import {
  type Signature,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SolanaError,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { confirmedTransaction } from '../testing/confirmed-transaction.ts';
import { joinCall, testAddress } from '../testing/join-calls.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import type { ConfirmedTransaction } from './confirmed-transaction.ts';
import { readTransaction } from './read-transaction.ts';

const signature = '1'.repeat(64) as Signature;
const joining = joinCall({
  lobbyConfig: testAddress(2),
  player: testAddress(1),
  treasury: testAddress(3),
  tokenMint: undefined,
  entryFee: 10n,
  platformFee: 1n,
  stake: 9n,
});
const answer = { slot: 4, ...confirmedTransaction(testAddress(1), [joining]) };

/** The same, as if somebody else had signed it. */
const bytes = Buffer.from(answer.transaction[0]!, 'base64');
const another = bytes.fill(7, 1, 65).toString('base64');

const node = (getTransaction: (params: readonly unknown[]) => unknown) =>
  scriptedNode({ getTransaction }).rpc;
const throwing = (error: Error) =>
  node(() => {
    throw error;
  });
const read = (...nodes: ReturnType<typeof node>[]) => readTransaction(nodes, signature);

const unsupportedVersion = new SolanaError(
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  { __serverMessage: 'Transaction version (2) is not supported' },
);

describe('readTransaction', () => {
  test('asks for transactions of version 1', async () => {
    let config: unknown;
    const rpc = node((params) => {
      config = params[1];
      return answer;
    });
    expect(await read(rpc)).toMatchObject({ kind: 'read', transaction: { slot: 4n } });
    expect(config).toMatchObject({ maxSupportedTransactionVersion: 1 });
  });

  test.each([
    ['null', node(() => null)],
    ['no outcome', node(() => ({ ...answer, meta: null }))],
    ['no inner instructions', node(() => ({ ...answer, meta: { ...answer.meta, innerInstructions: null } }))],
    ['a text', node(() => 'garbage')],
    ['bytes that are no transaction', node(() => ({ ...answer, transaction: ['AAAA', 'base64'] }))],
    ['another transaction', node(() => ({ ...answer, transaction: [another, 'base64'] }))],
    ['an unsupported version', throwing(unsupportedVersion)],
    ['a body that is not JSON', throwing(new SyntaxError('Unexpected token <'))],
  ])('reports an answer with %s as unreadable, and asks the next node', async (_, rpc) => {
    expect(await read(rpc)).toMatchObject({ kind: 'unreadable', reason: expect.any(String) });
    expect(
      await read(
        rpc,
        node(() => answer),
      ),
    ).toMatchObject({ kind: 'read' });
  });

  test('asks the next node if an answer lacks what the reader needs', async () => {
    const partial = { ...answer, meta: { ...answer.meta, logMessages: null } };
    const whole = { ...answer, meta: { ...answer.meta, logMessages: [] } };
    const nodes = [node(() => partial), node(() => whole)];
    const findGap = ({ meta }: ConfirmedTransaction) =>
      meta?.logMessages ? undefined : 'its log is missing';
    expect(await readTransaction(nodes, signature, findGap)).toMatchObject({
      kind: 'read',
      transaction: { meta: { logMessages: [] } },
    });
    expect(await readTransaction(nodes.slice(0, 1), signature, findGap)).toEqual({
      kind: 'unreadable',
      reason: 'its log is missing',
    });
  });

  test('throws if no node answers, and prefers any answer to none', async () => {
    const broken = throwing(new Error('connection reset'));
    await expect(read(broken)).rejects.toThrow('connection reset');
    expect(
      await read(
        broken,
        node(() => answer),
      ),
    ).toMatchObject({ kind: 'read' });
    expect(
      await read(
        broken,
        node(() => null),
      ),
    ).toMatchObject({ kind: 'unreadable' });
  });
});
