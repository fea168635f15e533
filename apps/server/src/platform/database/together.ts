import { hasSqlState } from './sql-state.ts';

/** What PostgreSQL says to every statement of a transaction after one that failed. */
const IN_FAILED_TRANSACTION = '25P02';

/**
 * Sends statements of one transaction without waiting between them, so that a database far away costs one round trip. The
 * order in which they leave depends on how each is built. Waits for all of them even if one fails, because what is sent after
 * the end of a transaction would count by itself. Throws why the transaction failed, and not what that did to the others.
 */
export async function together<const Work extends readonly unknown[]>(
  work: Work,
): Promise<{ readonly [At in keyof Work]: Awaited<Work[At]> }> {
  const results = await Promise.allSettled(work);
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (failures.length > 0)
    throw failures.find((failure) => !hasSqlState(failure, IN_FAILED_TRANSACTION)) ?? failures[0];
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never;
}
