import { registerHooks } from 'node:module';

/*
 * Faults that are put into the server to show that a siege finds them. Loaded into its processes by NODE_OPTIONS, with the
 * name of the fault in ENGULF_MUTANT.
 */

const MUTANTS = {
  /** Three of ten bounties of those who were eaten do not reach who ate them. */
  lostBounties: {
    file: '/game-host/money-lanes.ts',
    find: 'mergeMoves(moves).map(',
    replace: 'mergeMoves(moves).filter(() => Math.random() > 0.3).map(',
  },
};

const mutant = MUTANTS[process.env.ENGULF_MUTANT];
if (mutant) {
  registerHooks({
    load: (url, context, nextLoad) => {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(mutant.file)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(mutant.find)) throw new Error(`${mutant.file} has no ${mutant.find}`);
      return { ...loaded, source: source.replace(mutant.find, mutant.replace) };
    },
  });
}
