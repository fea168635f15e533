import type fc from 'fast-check';
import { expect } from 'vitest';
import { type EntryModel, newestRow, type RealEntries as Real } from './entry-model.ts';

export type Command = fc.AsyncCommand<EntryModel, Real>;

/** Does something to the model and to the real server, and compares them. */
export function command(name: string, run: (model: EntryModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (model, real) => {
      // No two entries of a player are created at the same moment.
      model.nowMs++;
      await run(model, real);
      await expectSameStates(model, real);
    },
    toString: () => name,
  };
}

async function expectSameStates(model: EntryModel, real: Real): Promise<void> {
  for (const player of model.players) {
    const { entry } = player;
    const row = await newestRow(real, player);
    expect(row?.state).toBe(entry?.state);
    expect(row?.stateExpiresAt?.getTime()).toBe(entry?.expiresAtMs);
    expect(row?.payoutAmount ?? undefined).toBe(entry?.payout);
    const mayHaveTicket = row?.state === 'ticketSent' || row?.state === 'playing';
    if (!mayHaveTicket) expect(row?.ticketId ?? null).toBeNull();
  }
}
