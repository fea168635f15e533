import { randomBytes, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import {
  type EntryId,
  entryId,
  type MatchId,
  matchId,
  paymentSessionId,
  type UserId,
} from '@engulf/domain/ids/entity-ids';
import { commitmentOf, keysUpTo, lastSecret, secretOf, toHex } from '@engulf/sim/keys';
import { FIRST_LINK, type FrameKind, writeEnd, writeFrame } from '@engulf/sim/recording/frames';
import { NO_BOND, rulesText, writeHeader } from '@engulf/sim/recording/header';
import { type Rules, standardRules } from '@engulf/sim/rules';
import type { LobbyRow } from '../src/lobbies/lobby-rows.ts';
import { partKey, RECORDING_TYPE } from '../src/matches/recording-parts.ts';
import type { Context } from '../src/platform/context.ts';
import { entries, matches } from '../src/platform/database/games.ts';

/** What a match is recorded with before it is stored: its key, and an entry for every life. The same secret, the same match. */
export function planMatch(secret = new Uint8Array(randomBytes(32))) {
  const lives: { readonly id: EntryId; readonly userId: UserId }[] = [];
  return {
    id: matchId(randomUUID()),
    secret,
    key: keysUpTo(lastSecret(secret), null),
    lives,
    /** A new entry of a user. */
    newEntry: (userId: UserId): EntryId => {
      const id = entryId(randomUUID());
      lives.push({ id, userId });
      return id;
    },
  };
}

/** Stores an ended match with its recording and its entries, as if it had been played in the lobby. */
export async function storeMatch(
  { db, storage, nowMs }: Pick<Context, 'db' | 'storage' | 'nowMs'>,
  lobby: LobbyRow,
  { id, secret, lives }: ReturnType<typeof planMatch>,
  {
    segments,
    finalTick,
    rules = standardRules,
  }: { readonly segments: readonly Uint8Array[]; readonly finalTick: number; readonly rules?: Rules },
): Promise<MatchId> {
  const commitment = commitmentOf(secretOf(lastSecret(secret), 0));
  const header = {
    matchId: id,
    commitment,
    publicPart: null,
    spill: 0n,
    rules,
    bond: NO_BOND,
  };
  const bodies: [FrameKind, Uint8Array][] = [
    ['header', writeHeader(header)],
    ...segments.map((segment): [FrameKind, Uint8Array] => ['segment', segment]),
    ['end', writeEnd({ finalTick, isCut: false })],
  ];
  let link = FIRST_LINK;
  let recordingBytes = 0;
  for (const [index, [kind, body]] of bodies.entries()) {
    const packed = deflateRawSync(body);
    const frame = writeFrame({ kind, packing: 'deflate', bodyLength: body.length, packed }, link);
    link = frame.link;
    recordingBytes += frame.bytes.length;
    await storage.putNew(partKey(id, index), frame.bytes, RECORDING_TYPE);
  }
  const endedAt = new Date(nowMs());
  const startedAt = new Date(nowMs() - (1_000 * finalTick) / rules.stepsPerSecond);
  await db.insert(matches).values({
    id,
    lobbyId: lobby.id,
    heldBy: 'test',
    committedAt: startedAt,
    commitment: toHex(commitment),
    rules: rulesText(rules),
    startedAt,
    endedAt,
    isCut: false,
    finalTick,
    finalHash: toHex(link.chain),
    spillAfter: 0n,
    partCount: bodies.length,
    recordingBytes,
    secret: toHex(secret),
  });
  for (const life of lives) {
    await db.insert(entries).values({
      ...life,
      lobbyId: lobby.id,
      state: 'ended',
      paymentSessionId: paymentSessionId(randomUUID()),
      entryFee: lobby.entryFee,
      stake: 1_000_000n,
      matchId: id,
      createdAt: startedAt,
      startedAt,
      endedAt,
      outcome: 'killed',
      payoutAmount: 0n,
    });
  }
  return id;
}
