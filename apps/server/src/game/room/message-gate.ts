import { type Failure, failure } from '@engulf/domain/errors/registry';
import {
  type ClientMessage,
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

const ROLES: readonly Role[] = ['player', 'tester', 'spectator'];

/** What each role may send, and how often. */
const LIMITS = new Map(
  ROLES.map((role) => [
    role,
    Object.entries<ClientMessage>(ROOM_CLIENT_MESSAGES).filter(([, { from }]) => from.includes(role)),
  ]),
);

export function createMessageGate(role: Role, nowMs: number): MessageGate {
  const buckets: { [type: string]: TokenBucket } = {};
  for (const [type, { limit }] of LIMITS.get(role)!) buckets[type] = createBucket(limit, nowMs);
  return {
    buckets,
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
