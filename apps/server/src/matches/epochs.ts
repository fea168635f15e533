import type { MatchId } from '@engulf/domain/ids/entity-ids';
import { epochAt, isEpochOver } from '@engulf/sim/epochs';
import { lastSecret, secretOf, toHex } from '@engulf/sim/keys';
import { createReader, readVar } from '@engulf/sim/recording/bytes';
import { readRulesText } from '@engulf/sim/recording/header';
import type { Rules } from '@engulf/sim/rules';
import { and, desc, eq, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { matchEpochs, matches, matchSecrets } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { StoredPart } from './recording-parts.ts';

/*
 * A running match is published epoch by epoch: its recording up to the end of an epoch, and the secret of that epoch, once all
 * of it is so old that it helps nobody who plays. Secrets of later epochs do not follow from it.
 */

/** By the clock, whatever the rules of the match say. */
const PUBLISH_AFTER_MS = 10 * 60_000;

export type EpochRow = typeof matchEpochs.$inferSelect;

/** Notes the ends of epochs as their recordings are stored. */
export function createEpochs(context: Pick<Context, 'db' | 'logger' | 'nowMs'>) {
  const { db, logger, nowMs } = context;
  const known = new Map<MatchId, Promise<Rules | undefined>>();

  const readRules = async (id: MatchId): Promise<Rules | undefined> => {
    const [match] = await db.select({ rules: matches.rules }).from(matches).where(eq(matches.id, id));
    return match && readRulesText(match.rules)?.rules;
  };

  return {
    /** An end that cannot be noted is made up for by the next one, which includes it. */
    note: async (id: MatchId, { partCount, bytes, chain, body }: StoredPart): Promise<void> => {
      try {
        if (!known.has(id)) known.set(id, readRules(id));
        const rules = await known.get(id);
        const reader = createReader(body);
        const tick = readVar(reader) + readVar(reader);
        if (!rules || !isEpochOver(rules, tick)) return;
        const epoch = epochAt(rules, tick);
        await db.transaction(async (tx) => {
          const [kept] = await tx
            .select()
            .from(matchSecrets)
            .where(eq(matchSecrets.matchId, id))
            .for('share');
          if (!kept) return;
          const secret = secretOfEpoch(kept.secret, epoch);
          const row = { matchId: id, epoch, secret, tick, partCount, bytes, chain: toHex(chain) };
          await tx
            .insert(matchEpochs)
            .values({ ...row, endedAt: new Date(nowMs()) })
            .onConflictDoNothing();
        });
      } catch (error) {
        known.delete(id);
        logger.warn({ code: 'EPOCH_NOT_NOTED', err: error, matchId: id }, 'ten minutes of a match wait');
      }
    },
    forget: (id: MatchId): void => void known.delete(id),
  };
}

/** What may be known of a match that runs; undefined until there is something. */
export async function readPublished(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  id: MatchId,
): Promise<EpochRow | undefined> {
  const isOld = lte(matchEpochs.endedAt, publishedUntil({ nowMs }));
  const [row] = await db
    .select()
    .from(matchEpochs)
    .where(and(eq(matchEpochs.matchId, id), isOld))
    .orderBy(desc(matchEpochs.epoch))
    .limit(1);
  return row;
}

/** What happened later in a match that runs is nobody's business yet. */
export function publishedUntil({ nowMs }: Pick<Context, 'nowMs'>): Date {
  return new Date(nowMs() - PUBLISH_AFTER_MS);
}

/** The match has ended: all of it is public. */
export async function forgetEpochs(tx: Database, id: MatchId): Promise<void> {
  await tx.delete(matchEpochs).where(eq(matchEpochs.matchId, id));
}

/** What is published of the secret of a match that has ended: all of its earlier secrets follow from it. */
export function secretToPublish(secret: string, rulesText: string, finalTick: number): string {
  const read = readRulesText(rulesText);
  // Matches of earlier releases have one secret.
  if (!read || read.rules.epochs.seconds === 0) return secret;
  return secretOfEpoch(secret, epochAt(read.rules, finalTick));
}

function secretOfEpoch(secret: string, epoch: number): string {
  return toHex(secretOf(lastSecret(Buffer.from(secret, 'hex')), epoch));
}
