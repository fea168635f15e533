import { expect, test } from 'vitest';
import { openNode } from './patient-node.ts';

type Asked = { readonly id: string; readonly method: string };

/** A node that answers as told, and the number of calls in each request that it got. */
function node(answer: (calls: Asked[], request: number) => Response | object) {
  const requests: number[] = [];
  const waits: number[] = [];
  const rpc = openNode('http://node', {
    send: async (_url, init) => {
      const body = JSON.parse(String(init?.body)) as Asked | Asked[];
      const calls = Array.isArray(body) ? body : [body];
      requests.push(calls.length);
      const answered = answer(calls, requests.length);
      return answered instanceof Response ? answered : Response.json(answered);
    },
    wait: async (ms) => void waits.push(ms),
  });
  return { rpc, requests, waits };
}

const right = (calls: Asked[]) => calls.map(({ id }) => ({ jsonrpc: '2.0', id, result: 5 }));
const one = (calls: Asked[]) => (calls.length === 1 ? right(calls)[0]! : right(calls));
const ask = ({ rpc }: ReturnType<typeof node>, count: number) =>
  Promise.all(Array.from({ length: count }, () => rpc.getSlot().send()));

test('calls that are made together leave together', async () => {
  const asked = node(one);
  expect(await ask(asked, 45)).toEqual(Array.from({ length: 45 }, () => 5n));
  expect(asked.requests).toEqual([20, 20, 5]);
});

test('a refusal is waited for, as long as the node says or a little longer each time', async () => {
  const refused = (seconds?: string) =>
    new Response('', { status: 429, ...(seconds && { headers: { 'retry-after': seconds } }) });
  const asked = node((calls, request) =>
    request < 4 ? refused(request === 3 ? '9' : undefined) : one(calls),
  );
  expect(await ask(asked, 1)).toEqual([5n]);
  expect(asked.waits).toEqual([500, 1_000, 9_000]);
});

test('of several calls only those that were refused are repeated', async () => {
  const asked = node((calls, request) =>
    request === 1
      ? right(calls).map((answer, i) =>
          i === 0 ? { ...answer, result: undefined, error: { code: 429 } } : answer,
        )
      : one(calls),
  );
  expect(await ask(asked, 3)).toEqual([5n, 5n, 5n]);
  expect(asked.requests).toEqual([3, 1]);
});

test('a node that takes one call at a time gets one at a time', async () => {
  const asked = node((calls) => (calls.length > 1 ? new Response('', { status: 413 }) : right(calls)[0]!));
  expect(await ask(asked, 3)).toEqual([5n, 5n, 5n]);
  expect(asked.requests).toEqual([3, 1, 1, 1]);
});

test('a node that refuses for good fails only the calls that it refused', async () => {
  const asked = node((calls) => {
    const answers = right(calls).filter(({ id }) => Number(id) % 2 === 0);
    return calls.length === 1 ? (answers[0] ?? new Response('', { status: 429 })) : answers;
  });
  const settled = await Promise.allSettled([asked.rpc.getSlot().send(), asked.rpc.getSlot().send()]);
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});
