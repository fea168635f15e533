import { type Failure, failure } from '@engulf/domain/errors/registry';
import {
  type ParsedMessage,
  parseClientMessage,
  ROOM_CLIENT_MESSAGES,
  type Role,
  type RoomClientMessageType,
} from '@engulf/protocol/room/client-messages';
import { createBucket, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';

/**
 * Every refused message adds its weight, and the sum drains over time. A connection that stalls for some seconds and
 * then delivers all its pointer moves at once stays below the limit; a script does not.
 */
export const ABUSE = { limit: 200, drainPerSecond: 10, invalidWeight: 10, overRateWeight: 1 } as const;

/** Refusals are answered, but a flood of them is not. */
const ANSWERS = { perSecond: 2, burst: 10 } as const;

export type GateRefusal = Failure<'INVALID_REQUEST' | 'FORBIDDEN' | 'RATE_LIMITED'>;

type Verdict =
  | { readonly kind: 'accepted'; readonly message: ParsedMessage }
  | {
      readonly kind: 'dropped' | 'abusive';
      readonly refusal: GateRefusal;
      /** Whether the client is to be told. */
      readonly isAnswered: boolean;
    };

/** What one visitor may still send. */
export type MessageGate = {
  /** Only of the types that are accepted. */
  readonly buckets: { readonly [Type in RoomClientMessageType]?: TokenBucket };
  /** Empties with every refused message. */
  readonly tolerance: TokenBucket;
  readonly answers: TokenBucket;
};

const TYPES = Object.keys(ROOM_CLIENT_MESSAGES) as RoomClientMessageType[];

export function createMessageGate(role: Role, nowMs: number): MessageGate {
  const accepted = TYPES.filter((type) =>
    (ROOM_CLIENT_MESSAGES[type].from as readonly Role[]).includes(role),
  );
  return {
    buckets: Object.fromEntries(
      accepted.map((type) => [type, createBucket(ROOM_CLIENT_MESSAGES[type].limit, nowMs)]),
    ),
    tolerance: createBucket({ perSecond: ABUSE.drainPerSecond, burst: ABUSE.limit }, nowMs),
    answers: createBucket(ANSWERS, nowMs),
  };
}

/** A bad message is dropped; too many are abuse. */
export function judgeMessage(
  gate: MessageGate,
  type: RoomClientMessageType | undefined,
  body: unknown,
  nowMs: number,
): Verdict {
  if (!type) return refuse(gate, failure('INVALID_REQUEST'), nowMs);
  const bucket = gate.buckets[type];
  if (!bucket) return refuse(gate, failure('FORBIDDEN'), nowMs);
  if (!takeTokens(bucket, 1, nowMs)) {
    const refused = refuse(gate, failure('RATE_LIMITED'), nowMs);
    // After a stall the newest pointer arrives last, and it is the one that counts.
    if (type !== 'movement' || refused.kind === 'abusive') return refused;
  }
  const message = parseClientMessage(type, body);
  return message ? { kind: 'accepted', message } : refuse(gate, failure('INVALID_REQUEST'), nowMs);
}

function refuse(gate: MessageGate, refusal: GateRefusal, nowMs: number): Verdict {
  const weight = refusal.code === 'RATE_LIMITED' ? ABUSE.overRateWeight : ABUSE.invalidWeight;
  const kind = takeTokens(gate.tolerance, weight, nowMs) ? 'dropped' : 'abusive';
  return { kind, refusal, isAnswered: takeTokens(gate.answers, 1, nowMs) };
}
