import { expect, test, vi } from 'vitest';
import { type CallMessage, createCalls } from './calls.ts';

type Calculator = { add(a: number, b: number): Promise<number>; note(text: string): void };

function connectTo(own: Parameters<typeof createCalls>[0]) {
  const inbox: CallMessage[] = [];
  const there = createCalls(own, (message) => here.receive(message), []);
  const here = createCalls<Calculator>(
    {},
    (message) => {
      inbox.push(message);
      there.receive(message);
    },
    ['note'],
  );
  return { here, inbox };
}

test('calls return results across processes, except those that nobody waits for', async () => {
  const notes: string[] = [];
  const { here, inbox } = connectTo({
    add: async (a: number, b: number) => a + b,
    note: (text: string) => notes.push(text),
  });
  expect(here.remote.note('first')).toBeUndefined();
  expect(await Promise.all([here.remote.add(1, 2), here.remote.add(3, 4)])).toEqual([3, 7]);
  expect(notes).toEqual(['first']);
  expect(inbox.map(({ kind }) => kind)).toEqual(['tell', 'call', 'call']);
});

test('an error there is an error here, and so is a function that does not exist', async () => {
  const { here } = connectTo({ add: () => Promise.reject(new Error('cannot count')) });
  await expect(here.remote.add(1, 2)).rejects.toThrow('cannot count');
  const { here: other } = connectTo({});
  await expect(other.remote.add(1, 2)).rejects.toThrow('There is no function add');
});

test('an error of a call that nobody waits for stays without effect', async () => {
  const onUnhandled = vi.fn();
  process.on('unhandledRejection', onUnhandled);
  const { receive } = createCalls({ add: () => Promise.reject(new Error('cannot count')) }, vi.fn(), []);
  receive({ kind: 'tell', name: 'add', parameters: [] });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  expect(onUnhandled).not.toHaveBeenCalled();
});

test('calls to a process that is gone are rejected, and nothing more is sent to it', async () => {
  const send = vi.fn();
  const { remote, lose } = createCalls<Calculator>({}, send, ['note']);
  const waiting = remote.add(1, 2);
  lose(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  await expect(remote.add(1, 2)).rejects.toThrow('gone');
  remote.note('too late');
  expect(send).toHaveBeenCalledOnce();
});
