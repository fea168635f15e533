import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createOutbox, flushAll } from './outbox.ts';

function openOutbox() {
  const stream = new PassThrough();
  const written: string[] = [];
  stream.on('data', (chunk: Buffer) => written.push(chunk.toString()));
  return { stream, written, outbox: createOutbox(stream) };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('what is posted in one turn is written in one piece, in its order, and nothing twice', async () => {
  const { written, outbox } = openOutbox();
  for (const text of ['a', 'b', 'c']) outbox.post(Buffer.from(text));
  await turn();
  expect(written).toEqual(['abc']);
  outbox.post(Buffer.from('d'));
  outbox.flush();
  outbox.post(Buffer.from('e'));
  await turn();
  expect(written).toEqual(['abc', 'd', 'e']);
});

test('what is posted while everything is being sent is sent too, to whomever it goes', async () => {
  const [one, other] = [openOutbox(), openOutbox()];
  one.stream.once('data', () => {
    one.outbox.post(Buffer.from('b'));
    other.outbox.post(Buffer.from('2'));
  });
  one.outbox.post(Buffer.from('a'));
  flushAll();
  expect(one.written).toEqual(['a']);
  await turn();
  expect([one.written, other.written]).toEqual([['a', 'b'], ['2']]);
});

test('each client gets its own', async () => {
  const [one, other] = [openOutbox(), openOutbox()];
  one.outbox.post(Buffer.from('1'));
  other.outbox.post(Buffer.from('2'));
  await turn();
  expect([one.written, other.written]).toEqual([['1'], ['2']]);
});

test('what was posted before the stream was destroyed or ended is dropped', async () => {
  for (const close of ['destroy', 'end'] as const) {
    const { stream, written, outbox } = openOutbox();
    outbox.post(Buffer.from('late'));
    stream[close]();
    await turn();
    expect(written).toEqual([]);
  }
});
