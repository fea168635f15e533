import {
  ROOM_CLIENT_MESSAGES,
  type RoomClientMessageType,
  type RoomClientPayload,
} from '@engulf/protocol/room/client-messages';
import { createBucket, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';
import { ABUSE } from './room-limits.ts';

export type ClientMessage = {
  [Type in RoomClientMessageType]: { readonly type: Type; readonly payload: RoomClientPayload<Type> };
}[RoomClientMessageType];

export type Verdict =
  | { readonly kind: 'accepted'; readonly message: ClientMessage }
  | { readonly kind: 'dropped' }
  | { readonly kind: 'abusive'; readonly reason: string };

/** What one connection may still send. */
export type MessageGate = {
  readonly accepts: readonly RoomClientMessageType[];
  readonly buckets: Map<RoomClientMessageType, TokenBucket>;
  readonly patience: TokenBucket;
};

const PLAYER_MESSAGES = Object.keys(ROOM_CLIENT_MESSAGES) as RoomClientMessageType[];
const SPECTATOR_MESSAGES: readonly RoomClientMessageType[] = ['ping', 'fullUpdate'];

const DROPPED: Verdict = { kind: 'dropped' };

export function createMessageGate(role: 'player' | 'spectator', nowMs: number): MessageGate {
  return {
    accepts: role === 'player' ? PLAYER_MESSAGES : SPECTATOR_MESSAGES,
    buckets: new Map(),
    patience: createBucket({ perSecond: ABUSE.drainPerSecond, burst: ABUSE.limit }, nowMs),
  };
}

/** One bad message is a slip and dropped. Too many are abuse. */
export function judgeMessage(gate: MessageGate, type: unknown, payload: unknown, nowMs: number): Verdict {
  const known = gate.accepts.find((accepted) => accepted === type);
  if (!known) return refuse(gate, ABUSE.invalidWeight, 'Invalid messages', nowMs);
  if (!takeTokens(bucketOf(gate, known, nowMs), 1, nowMs)) {
    return refuse(gate, ABUSE.overRateWeight, 'Too many messages', nowMs);
  }
  const parsed = ROOM_CLIENT_MESSAGES[known].payload.safeParse(payload);
  if (!parsed.success) return refuse(gate, ABUSE.invalidWeight, 'Invalid messages', nowMs);
  // The table pairs each type with its own schema; the compiler cannot follow that through a lookup.
  return { kind: 'accepted', message: { type: known, payload: parsed.data } as ClientMessage };
}

function refuse(gate: MessageGate, weight: number, reason: string, nowMs: number): Verdict {
  return takeTokens(gate.patience, weight, nowMs) ? DROPPED : { kind: 'abusive', reason };
}

function bucketOf(gate: MessageGate, type: RoomClientMessageType, nowMs: number): TokenBucket {
  let bucket = gate.buckets.get(type);
  if (!bucket) {
    bucket = createBucket(ROOM_CLIENT_MESSAGES[type].limit, nowMs);
    gate.buckets.set(type, bucket);
  }
  return bucket;
}
