import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SolanaError,
} from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { confirmedTransaction, signatureOf } from '../testing/confirmed-transaction.ts';
import { joinCall } from '../testing/join-calls.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import type { ConfirmedTransaction } from './confirmed-transaction.ts';
import { readTransaction } from './read-transaction.ts';

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
const signature = signatureOf(answer);

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
    const showing = node(() => answer);
    expect(await read(rpc, showing, showing)).toMatchObject({ kind: 'read' });
  });

  test('believes what two of several nodes show alike', async () => {
    const showing = node(() => answer);
    const elsewhere = node(() => ({ ...answer, slot: 5 }));
    expect(await read(showing, showing)).toMatchObject({ kind: 'read' });
    expect(await read(elsewhere, showing, showing)).toMatchObject({ transaction: { slot: 4n } });
    const reasonOf = async (...nodes: Parameters<typeof read>) =>
      (await read(...nodes)) as { reason?: string };
    expect((await reasonOf(showing, elsewhere)).reason).toBe('the nodes show it differently');
    const silent = node(() => null);
    expect((await reasonOf(showing, silent)).reason).toBe('only one node shows it');
    const log = node(() => ({ ...answer, meta: { ...answer.meta, logMessages: ['worded otherwise'] } }));
    expect(await read(showing, log)).toMatchObject({ kind: 'read' });
  });

  test('asks the next node if an answer lacks what the reader needs', async () => {
    const partial = { ...answer, meta: { ...answer.meta, logMessages: null } };
    const whole = { ...answer, meta: { ...answer.meta, logMessages: [] } };
    const nodes = [node(() => partial), node(() => whole), node(() => whole)];
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

  test('throws if too few nodes answer to tell', async () => {
    const broken = throwing(new Error('connection reset'));
    const [showing, silent] = [node(() => answer), node(() => null)];
    for (const nodes of [[broken], [broken, showing], [showing, broken], [broken, silent]])
      await expect(read(...nodes)).rejects.toThrow('connection reset');
    expect(await read(broken, showing, showing)).toMatchObject({ kind: 'read' });
    expect(await read(broken, showing, silent)).toMatchObject({ kind: 'unreadable' });
  });
});
