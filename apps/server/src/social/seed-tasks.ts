import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/database/open-database.ts';
import { tasks } from '../platform/database/social.ts';

/** For development: what the local X can verify. Operators bring their own. */
export async function seedLocalTasks(db: Database): Promise<void> {
  const known = await db.select({ id: tasks.id }).from(tasks).limit(1);
  if (known.length > 0) return;
  const rows = [
    { action: 'connect', name: 'Connect your X account' },
    { action: 'follow', name: 'Follow Engulf on X', url: 'https://x.com/engulf' },
    { action: 'like', name: 'Like the beta post', tweetId: '1000000000000000001' },
    { action: 'retweet', name: 'Repost the beta post', tweetId: '1000000000000000001' },
  ];
  await db.insert(tasks).values(rows.map((row, sortOrder) => ({ id: randomUUID(), sortOrder, ...row })));
}
