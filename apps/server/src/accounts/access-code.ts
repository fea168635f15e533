import { randomInt } from 'node:crypto';
import { ACCESS_CODE_LENGTH } from '@engulf/domain/ids/access-code';
import { asc } from 'drizzle-orm';
import type { Database } from '../platform/database/open-database.ts';
import { referralCodes } from '../platform/database/people.ts';

const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** The code to let people in with: made at the first start, then always the same. */
export async function firstAccessCode(db: Database): Promise<string> {
  const [known] = await db.select().from(referralCodes).orderBy(asc(referralCodes.createdAt)).limit(1);
  if (known) return known.code;
  const code = Array.from({ length: ACCESS_CODE_LENGTH.max }, () => LETTERS[randomInt(LETTERS.length)]).join(
    '',
  );
  await db.insert(referralCodes).values({ code });
  return code;
}
