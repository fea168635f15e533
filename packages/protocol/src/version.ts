import { z } from 'zod';

/** Raised with every change of a message or of the netcode that an older client would misread. */
export const PROTOCOL_VERSION = 7;

const versioned = z.looseObject({ protocolVersion: z.literal(PROTOCOL_VERSION).optional() });

/**
 * Checked before anything else in the join options: an outdated client should be told to refresh, whatever
 * else it gets wrong. A client that names no version speaks plainly (plain-messages.ts).
 */
export function hasKnownProtocol(joinOptions: unknown): boolean {
  return versioned.safeParse(joinOptions).success;
}
