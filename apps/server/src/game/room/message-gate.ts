import {
  type ParsedMessage,
  parseClientMessage,
  ROOM_CLIENT_MESSAGES,
  type RoomClientMessageType,
} from '@engulf/protocol/room/client-messages';
import { createBucket, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';

/**
 * Every refused message adds its weight, and the sum drains over time. A connection that stalls for some seconds and
 * then delivers all its pointer moves at once stays below the limit; a script does not.
 */
export const ABUSE = { limit: 200, drainPerSecond: 10, invalidWeight: 10, overRateWeight: 1 } as const;

type Verdict =
  | { readonly kind: 'accepted'; readonly message: ParsedMessage }
  | { readonly kind: 'dropped' | 'abusive'; readonly reason: string };

/** What one visitor may still send. */
export type MessageGate = {
  /** Only of the types that are accepted. */
  readonly buckets: { readonly [Type in RoomClientMessageType]?: TokenBucket };
  /** Empties with every refused message. */
  readonly tolerance: TokenBucket;
};

const ALL_MESSAGES = Object.keys(ROOM_CLIENT_MESSAGES) as RoomClientMessageType[];
const PLAYER_MESSAGES = ALL_MESSAGES.filter((type) => type !== 'f4Testing');
/** Spectators can only read the chat. Admins among them can moderate it. */
const SPECTATOR_MESSAGES: readonly RoomClientMessageType[] = [
  'ping',
  'fullUpdate',
  'requestChatHistory',
  'admin',
];
const ACCEPTED = {
  player: PLAYER_MESSAGES,
  tester: ALL_MESSAGES,
  spectator: SPECTATOR_MESSAGES,
} as const;

/** A tester is a player who may ask for mass. */
export function createMessageGate(role: keyof typeof ACCEPTED, nowMs: number): MessageGate {
  const buckets = ACCEPTED[role].map((type) => [type, createBucket(ROOM_CLIENT_MESSAGES[type].limit, nowMs)]);
  return {
    buckets: Object.fromEntries(buckets),
    tolerance: createBucket({ perSecond: ABUSE.drainPerSecond, burst: ABUSE.limit }, nowMs),
  };
}

/** A bad message is dropped; too many are abuse. */
export function judgeMessage(
  gate: MessageGate,
  type: RoomClientMessageType | undefined,
  payload: unknown,
  nowMs: number,
): Verdict {
  const bucket = type && gate.buckets[type];
  if (!bucket) return refuse(gate, ABUSE.invalidWeight, 'Invalid messages', nowMs);
  if (!takeTokens(bucket, 1, nowMs)) {
    const refused = refuse(gate, ABUSE.overRateWeight, 'Too many messages', nowMs);
    // After a stall the newest pointer arrives last, and it is the one that counts.
    if (type !== 'movement' || refused.kind === 'abusive') return refused;
  }
  const message = parseClientMessage(type, payload);
  if (!message) return refuse(gate, ABUSE.invalidWeight, 'Invalid messages', nowMs);
  return { kind: 'accepted', message };
}

function refuse(gate: MessageGate, weight: number, reason: string, nowMs: number): Verdict {
  return { kind: takeTokens(gate.tolerance, weight, nowMs) ? 'dropped' : 'abusive', reason };
}
