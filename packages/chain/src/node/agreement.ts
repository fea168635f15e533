/** One provider can lie, or be lied to; that two of them do it alike is not expected. */
const AGREEING_NODES = 2;

/** How many of the configured nodes must say the same before it is believed. */
export function neededNodes(nodes: readonly unknown[]): number {
  return Math.min(nodes.length, AGREEING_NODES);
}

/** The answers that were given. Throws if there is none. */
export function answersOf<Answer>(outcomes: readonly PromiseSettledResult<Answer>[]): Answer[] {
  const answers = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  if (answers.length === 0) throw failureOf(outcomes);
  return answers;
}

/** What two nodes say alike, or all that have answered. Undefined if they differ, or know nothing yet. */
export function agreedOf<Answer>(
  nodes: readonly unknown[],
  answers: readonly (Answer | undefined)[],
  isAlike: (one: Answer, other: Answer) => boolean,
): Answer | undefined {
  const needed = Math.min(neededNodes(nodes), answers.length);
  const countAlike = (one: Answer) =>
    answers.filter((other) => other !== undefined && isAlike(one, other)).length;
  return answers.find((one) => one !== undefined && countAlike(one) >= needed);
}

function failureOf(outcomes: readonly PromiseSettledResult<unknown>[]): unknown {
  return outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))[0];
}
