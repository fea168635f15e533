import { expect, test } from 'vitest';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { listTransactions } from './lobby-history.ts';

const signatureOf = (slot: number) => `${'1'.repeat(62)}${String(slot).padStart(2, '2')}`;

/** A node that lists one transaction in each of the slots 1 to 9; every third one failed. */
function list(request: { sinceSlot: bigint; pageSize: number }, mostPerPage = 1000) {
  const { rpc, asked } = scriptedNode({
    getSignaturesForAddress: ([, config]) => {
      const { before, limit } = config as { before?: string; limit: number };
      return [9, 8, 7, 6, 5, 4, 3, 2, 1]
        .filter((slot) => before === undefined || signatureOf(slot) < before)
        .slice(0, Math.min(Number(limit), mostPerPage))
        .map((slot) => ({
          signature: signatureOf(slot),
          slot,
          err: slot % 3 === 0 ? { InstructionError: [0, { Custom: 6009 }] } : null,
          memo: null,
        }));
    },
  });
  return { listed: listTransactions({ rpc, account: testAddress(1), ...request }), asked };
}

test('listTransactions pages back to the slot it is asked for and returns the oldest first', async () => {
  for (const pageSize of [2, 3, 100]) {
    const listed = await list({ sinceSlot: 4n, pageSize }).listed;
    expect(listed.map(({ slot }) => slot)).toEqual([4n, 5n, 6n, 7n, 8n, 9n]);
    expect(listed.filter(({ isFailed }) => isFailed).map(({ slot }) => slot)).toEqual([6n, 9n]);
  }
});

test('listTransactions asks for no more pages than it needs', async () => {
  const { listed, asked } = list({ sinceSlot: 7n, pageSize: 4 });
  expect(await listed).toHaveLength(3);
  expect(asked).toHaveLength(1);
});

test('listTransactions continues after a page that is shorter than requested', async () => {
  const { listed } = list({ sinceSlot: 2n, pageSize: 100 }, 2);
  expect((await listed).map(({ slot }) => slot)).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
});

test('listTransactions ends although the node pages in circles', async () => {
  const { rpc, asked } = scriptedNode({
    getSignaturesForAddress: ([, config]) => {
      const slot = (config as { before?: string }).before === signatureOf(9) ? 8 : 9;
      return [{ signature: signatureOf(slot), slot, err: null, memo: null }];
    },
  });
  const listed = await listTransactions({ rpc, account: testAddress(1), sinceSlot: 1n, pageSize: 1 });
  expect(listed.map(({ slot }) => slot)).toEqual([8n, 9n]);
  expect(asked).toHaveLength(3);
});
