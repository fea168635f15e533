import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { validateAccessCode } from '@engulf/domain/ids/access-code';
import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { referralCodes, users } from '../platform/database/people.ts';
import type { UserRow } from './user-rows.ts';

type ReferralRefusal = Failure<
  | 'ACCESS_CODE_REQUIRED'
  | 'ACCESS_CODE_TOO_SHORT'
  | 'ACCESS_CODE_TOO_LONG'
  | 'ACCESS_CODE_INVALID'
  | 'ACCESS_ALREADY_GRANTED'
>;

/** Lets the user in. A code counts its uses; two who try the last one at once cannot both have it. */
export async function submitReferral(
  { db }: Context,
  user: UserRow,
  text: string,
): Promise<Result<undefined, ReferralRefusal>> {
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
          or(isNull(referralCodes.maxUses), lt(referralCodes.uses, referralCodes.maxUses)),
        ),
      )
      .returning();
    if (!used) return refuse('ACCESS_CODE_INVALID');
    await tx.update(users).set({ referralCode: used.code }).where(eq(users.id, user.id));
    return ok(undefined);
  });
}
