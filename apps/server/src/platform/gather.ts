import { createBucket, type MessageLimit, takeTokens } from '@engulf/protocol/token-bucket';

type Call<Key, Value> = {
  readonly key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
};

/**
 * Batches work that costs about the same for one key and for many, in the order of the calls. Calls that come while it
 * runs, or more often than `limit`, share the next run. `work` returns its results in the order of the keys. If a batch
 * fails, each key is tried alone, so that no call fails because of another.
 */
export function gatherCalls<Key, Value>(
  limit: MessageLimit,
  work: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const times = createBucket(limit, performance.now());
  let waiting: Call<Key, Value>[] = [];
  /** Running, or waiting until it may run again. */
  let isBusy = false;

  const run = async (): Promise<void> => {
    isBusy = true;
    while (waiting.length > 0) {
      if (!takeTokens(times, 1, performance.now())) {
        await sleep(Math.ceil(((1 - times.tokens) * 1000) / limit.perSecond));
        continue;
      }
      const calls = waiting;
      waiting = [];
      await answer(calls);
    }
    isBusy = false;
  };
  const answer = async (calls: readonly Call<Key, Value>[]): Promise<void> => {
    try {
      const values = await work(calls.map(({ key }) => key));
      for (const [nth, call] of calls.entries()) call.resolve(values[nth]!);
    } catch (error) {
      if (calls.length > 1) await Promise.all(calls.map((call) => answer([call])));
      else calls[0]!.reject(error);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!isBusy) void run();
    });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
