import type { Context } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/open-database.ts';

export type Life = ReturnType<typeof createLife>;

/**
 * A process that is killed at its nth step: from then on everything fails, as if it were gone. Each request to a node and
 * each query is a step, and so is the end of a transaction: it is committed, but nobody hears of it.
 */
export function createLife(killedAtStep: number) {
  let steps = 0;
  const step = () => {
    if (++steps >= killedAtStep) throw new Error('killed');
  };
  const mortal = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (_, name) => {
        step();
        return Reflect.get(target, name);
      },
    });
  const mortalDatabase = (db: Database): Database =>
    new Proxy(db, {
      get: (_, name) => {
        step();
        const member = Reflect.get(db, name);
        if (name !== 'transaction') return typeof member === 'function' ? member.bind(db) : member;
        return async (work: Parameters<Database['transaction']>[0]) => {
          const done = await db.transaction(work);
          step();
          return done;
        };
      },
    });
  return {
    step,
    isOver: () => steps >= killedAtStep,
    mortalContext: (context: Context): Context => ({
      ...context,
      db: mortalDatabase(context.db),
      chain: {
        ...context.chain,
        rpc: mortal(context.chain.rpc),
        nodes: context.chain.nodes.map((rpc) => mortal(rpc)),
      },
    }),
  };
}

/** Has the work done by one process after another, each of which is killed one step later than the one before. */
export async function doDespiteKills<Answer>(
  context: Context,
  work: (context: Context) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly kills: number }> {
  for (let kills = 0; ; kills++) {
    const life = createLife(kills + 1);
    try {
      const answer = await work(life.mortalContext(context));
      // What noticed nothing was not killed either, unless it hid the error.
      if (!life.isOver()) return { answer, kills };
    } catch (error) {
      if (!life.isOver()) throw error;
    }
  }
}
