import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { addToRecords, readRecords } from './records.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

test('the best of all lives is kept, for free play and for money apart', async () => {
  const { context } = server;
  const { id: userId } = await createUser(context, await server.newWallet({}));
  const live = (isFree: boolean, life: [peak: number, seconds: number, kills: number], payout: bigint) => {
    const [peakMassMilli, seconds, kills] = life;
    const ended = { userId, isFree, life: { peakMassMilli, seconds, kills }, payoutAmount: payout };
    return addToRecords(context.db, { ...ended, basis: 1_000n });
  };
  await live(true, [410_900, 35, 1], 0n);
  await live(true, [120_000, 93, 4], 2_345n);
  await live(false, [99_000, 12, 0], 950n);
  expect(await readRecords(context, userId)).toMatchObject({
    free: { lives: 2, bestMass: 410, longestLifeSeconds: 93, bestMultiple: 2.34, kills: 5, bestStreak: 4 },
    paid: { lives: 1, bestMass: 99, longestLifeSeconds: 12, bestMultiple: 0.95, kills: 0, bestStreak: 0 },
  });
  const { id: nobody } = await createUser(context, await server.newWallet({}));
  expect((await readRecords(context, nobody)).free).toMatchObject({ lives: 0, bestMass: 0 });
});
