/*
 * The same work on every machine, so that figures of two machines, or of one machine on two days, can be compared.
 */

const ROUNDS = 7;
const STEPS = 20_000_000;

/** Milliseconds for a fixed amount of work: the best of a few tries, since others can only make it slower. */
export function calibrationMs(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now();
    let state = round + 1;
    for (let i = 0; i < STEPS; i++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    // Using the result keeps the loop from being optimised away.
    if (state === 0) process.stderr.write('');
    best = Math.min(best, performance.now() - startedMs);
  }
  return best;
}
