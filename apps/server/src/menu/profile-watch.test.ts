import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { users } from '../platform/database/people.ts';
import { watchProfiles } from './profile-watch.ts';
import type { Visitors } from './visitors.ts';

test('a visitor is told of a new name, picture or multiplier once, and of nothing else', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const database = await openTestDatabase();
  const user = await newUser(database.db, { name: 'Before' });
  const bystander = await newUser(database.db);
  const sent: unknown[] = [];
  const visitors = {
    userIds: () => [user.id, bystander.id],
    windowsOf: (userId: string) => ({
      emit: (_event: string, profile: unknown) => userId === user.id && sent.push(profile),
    }),
  } as unknown as Visitors;
  const _logger = pino({ level: 'silent' });
  const stop = watchProfiles(createBareContext(database.db), visitors);
  onTestFinished(async () => {
    stop();
    vi.useRealTimers();
    await database.close();
  });
  /** Lets the watch look until it has told so much. The database is real and answers in its own time. */
  const lookUntil = (told: readonly unknown[]) =>
    vi.waitFor(
      () => {
        vi.advanceTimersByTime(5_000);
        expect(sent).toEqual(told);
      },
      { timeout: 15_000 },
    );
  const first = { name: 'Before', avatarUrl: null, colour: null, rank: null, multiplier: 1 };
  await lookUntil([first]);
  await lookUntil([first]);
  await database.db
    .update(users)
    .set({ name: 'After', multiplierHundredths: 145, avatarUrl: '/avatars/a.png', colour: 4 })
    .where(eq(users.id, user.id));
  const second = { ...first, name: 'After', avatarUrl: '/avatars/a.png', colour: 4, multiplier: 1.45 };
  await lookUntil([first, second]);
  await lookUntil([first, second]);
});
