import { readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { beforeEach, expect, test } from 'vitest';
import { createPaidLobby, lobbiesNamed, notesAbout, REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { fakeNode, withNode, withNodes } from '../../testing/fake-node.ts';
import {
  addLobbyFromBefore,
  expectBooksToMatchTheChain,
  newWinner,
  payEverything,
  payoutDeps,
  STAKE,
  startPaidServer,
} from '../../testing/paid-players.ts';
import { lamportsOf } from '../../testing/players.ts';
import { payLobby } from '../money/payouts/pay-lobby.ts';

const { server, context } = await startPaidServer();
const old = await addLobbyFromBefore(server);
const argv = ['lobby', 'order-claims', old.name];
const counterOf = (id: bigint | null) => readClaimCounter(context.chain.rpc, context.chain.programId, id!);
const pause = (value: 'on' | 'off') =>
  operator.run('switch', 'set', 'payouts-paused', value, ...REASON, '--yes');

let operator: Operator;
let blocks = 0n;
/** Blocks pass as fast as the command asks for them. */
const hurrying = withNode(context, {
  getBlockHeight: async (real) => (await real()) + blocks,
});
beforeEach(() => {
  operator = createOperator(hurrying);
  operator.onPause = async () => {
    blocks += 50n;
  };
});

test('a lobby that is created has its counter from the start', async () => {
  const row = await createPaidLobby(server, operator);
  expect(row.claimsInOrder).toBe(true);
  expect(await counterOf(row.chainLobbyId)).toMatchObject({ nextNumber: 0n });
  const again = await operator.run('lobby', 'order-claims', row.name, ...REASON);
  expect(again).toMatchObject({ code: 0, output: 'Nothing to change: it is so already.' });
});

test('lobby order-claims is refused while payouts go on, and changes nothing in a dry run', async () => {
  expect(await operator.run(...argv, ...REASON)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('Pause payouts first'),
  });
  await pause('on');
  const before = await dumpDatabase(context);
  expect(await operator.run(...argv, '--dry-run')).toMatchObject({
    code: 0,
    output: expect.stringContaining('are counted on the chain'),
  });
  expect(await dumpDatabase(context)).toBe(before);
  expect(await counterOf(old.chainLobbyId)).toBeUndefined();
});

test('lobby order-claims waits until nothing that was signed before can land, on any node', async () => {
  await pause('off');
  const winner = await newWinner(server, old);
  await payLobby(context, old.id, payoutDeps(context, { send: async () => undefined }));
  await pause('on');
  // The second node stays behind, and the claim that is in flight is decided after a while.
  let isSlow = true;
  const { rpc } = context.chain;
  const slow = fakeNode(rpc, {
    getBlockHeight: async (real) => (await real()) + (isSlow ? 0n : blocks),
  });
  operator = createOperator(withNodes(hurrying, hurrying.chain.rpc, slow));
  let pauses = 0;
  operator.onPause = async () => {
    blocks += 50n;
    if (isSlow) expect(await counterOf(old.chainLobbyId)).toBeUndefined();
    if (++pauses === 5) await payEverything(context, old);
    if (pauses === 20) isSlow = false;
  };
  const moved = await operator.run(...argv, ...REASON);
  expect(moved).toMatchObject({ code: 0, errors: '' });
  expect(pauses).toBeGreaterThanOrEqual(20);
  expect(await lobbiesNamed(server, old.name)).toMatchObject([{ claimsInOrder: true }]);
  expect(await counterOf(old.chainLobbyId)).toMatchObject({ nextNumber: 0n });
  const notes = await notesAbout(server, old.id);
  expect(notes.map(({ details }) => details['step'])).toEqual(['signed', 'done']);

  await pause('off');
  const next = await newWinner(server, old);
  await payEverything(context, old);
  expect(await counterOf(old.chainLobbyId)).toMatchObject({ nextNumber: 1n });
  for (const { wallet, lamportsBefore } of [winner, next])
    expect(await lamportsOf(context, wallet)).toBe(lamportsBefore + STAKE);
  await expectBooksToMatchTheChain(context, old);
});
