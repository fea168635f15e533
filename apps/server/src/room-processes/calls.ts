/** What one process offers to the other. */
type Methods = { readonly [name: string]: (...parameters: never[]) => unknown };

export type CallMessage =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly parameters: unknown[] }
  | { readonly kind: 'tell'; readonly name: string; readonly parameters: unknown[] }
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: unknown };

type Waiting = { resolve(value: unknown): void; reject(error: unknown): void };

/**
 * Remote calls between two processes, over a channel that keeps the order. Nobody waits for the results of those in
 * `told`. Arguments and results are copied.
 */
export function createCalls<Remote extends Methods>(
  own: Methods,
  send: (message: CallMessage) => void,
  told: readonly (keyof Remote)[],
) {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let lost: Error | undefined;

  const call = (name: string, parameters: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (lost) {
        reject(lost);
        return;
      }
      waiting.set(++lastId, { resolve, reject });
      send({ kind: 'call', id: lastId, name, parameters });
    });

  const run = (name: string, parameters: unknown[]): unknown => {
    if (!Object.hasOwn(own, name)) throw new Error(`There is no function ${name}`);
    return own[name]!(...(parameters as never[]));
  };

  const answer = async (id: number, name: string, parameters: unknown[]): Promise<void> => {
    let message: CallMessage;
    try {
      message = { kind: 'answer', id, value: await run(name, parameters) };
    } catch (error) {
      message = { kind: 'failure', id, error };
    }
    if (!lost) send(message);
  };

  return {
    remote: new Proxy({} as Remote, {
      get: (_, name: string) =>
        told.includes(name)
          ? (...parameters: unknown[]) => {
              if (!lost) send({ kind: 'tell', name, parameters });
            }
          : (...parameters: unknown[]) => call(name, parameters),
    }),
    receive: (message: CallMessage): void => {
      if (message.kind === 'call') void answer(message.id, message.name, message.parameters);
      // The other side chooses what it tells: a function that fails later must not end this process.
      else if (message.kind === 'tell')
        Promise.resolve(run(message.name, message.parameters)).catch(() => undefined);
      else {
        const caller = waiting.get(message.id);
        waiting.delete(message.id);
        if (message.kind === 'answer') caller?.resolve(message.value);
        else caller?.reject(message.error);
      }
    },
    /** The other process is gone: rejects everything that waits for it. */
    lose: (why: Error): void => {
      lost = why;
      for (const { reject } of waiting.values()) reject(why);
      waiting.clear();
    },
  };
}
