import { randomInt } from 'node:crypto';
import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { ACCESS_CODE_LENGTH, validateAccessCode } from '@engulf/domain/ids/access-code';
import { and, asc, eq, gt, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { referralCodes, type UserRow, users } from '../platform/database/people.ts';

/** Leaves out letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';

/** The code that a development server prints: generated at the first start, then kept until it is revoked. */
export async function firstAccessCode({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<string> {
  const [known] = await db
    .select()
    .from(referralCodes)
    .where(and(isNull(referralCodes.maxUses), isValidAt(nowMs())))
    .orderBy(asc(referralCodes.createdAt))
    .limit(1);
  if (known) return known.code;
  const code = newAccessCode();
  await db.insert(referralCodes).values({ code });
  return code;
}

export function newAccessCode(): string {
  const letter = () => LETTERS[randomInt(LETTERS.length)];
  return Array.from({ length: ACCESS_CODE_LENGTH.max }, letter).join('');
}

function isValidAt(nowMs: number) {
  return or(isNull(referralCodes.expiresAt), gt(referralCodes.expiresAt, new Date(nowMs)));
}

type AccessRefusal = Failure<
  | 'ACCESS_CODE_REQUIRED'
  | 'ACCESS_CODE_TOO_SHORT'
  | 'ACCESS_CODE_TOO_LONG'
  | 'ACCESS_CODE_INVALID'
  | 'ACCESS_ALREADY_GRANTED'
>;

/** Grants access for a code. Uses are counted in the same statement, so the last one cannot go to two users. */
export async function submitAccessCode(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  user: UserRow,
  text: string,
): Promise<Result<undefined, AccessRefusal>> {
  const code = validateAccessCode(text);
  if (!code.ok) return code;
  return db.transaction(async (tx) => {
    const [current] = await tx.select().from(users).where(eq(users.id, user.id)).for('update');
    if (current!.referralCode !== null || current!.isRaffleWinner) return refuse('ACCESS_ALREADY_GRANTED');
    const [used] = await tx
      .update(referralCodes)
      .set({ uses: sql`${referralCodes.uses} + 1` })
      .where(
        and(
          eq(referralCodes.code, code.value.toUpperCase()),
          isValidAt(nowMs()),
          or(isNull(referralCodes.maxUses), lt(referralCodes.uses, referralCodes.maxUses)),
        ),
      )
      .returning();
    if (!used) return refuse('ACCESS_CODE_INVALID');
    await tx.update(users).set({ referralCode: used.code }).where(eq(users.id, user.id));
    return ok(undefined);
  });
}
