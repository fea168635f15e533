import { createBucket, type MessageLimit, takeTokens } from '@engulf/protocol/token-bucket';

type Call<Key, Value> = {
  readonly key: Key;
  resolve(value: Value): void;
  reject(error: unknown): void;
};

/**
 * Wraps work that costs about the same for one and for many. It is done at once while it is asked for seldom; above
 * `limit`, calls wait for the next time and share it. `work` answers in the order of its keys. If it fails for many, it is
 * tried for each alone, so that nobody fails because of another.
 */
export function gatherCalls<Key, Value>(
  limit: MessageLimit,
  work: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const times = createBucket(limit, performance.now());
  let waiting: Call<Key, Value>[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const run = () => {
    timer = undefined;
    if (!takeTokens(times, 1, performance.now())) {
      timer = setTimeout(run, Math.ceil(((1 - times.tokens) * 1000) / limit.perSecond));
      return;
    }
    const calls = waiting;
    waiting = [];
    void answer(calls);
  };
  const answer = async (calls: readonly Call<Key, Value>[]): Promise<void> => {
    try {
      const values = await work(calls.map(({ key }) => key));
      for (const [nth, call] of calls.entries()) call.resolve(values[nth]!);
    } catch (error) {
      if (calls.length > 1) for (const call of calls) await answer([call]);
      else calls[0]!.reject(error);
    }
  };
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (!timer) run();
    });
}
