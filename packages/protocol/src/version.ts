import { z } from 'zod';

/** Raised with every change that an older client would misread: of a message or of the bytes of the codec. */
export const PROTOCOL_VERSION = 2;

const versioned = z.looseObject({ protocolVersion: z.literal(PROTOCOL_VERSION) });

/**
 * Asked before anything else is read from a join: whatever else an outdated client gets wrong, it should be
 * told to refresh.
 */
export function hasCurrentProtocol(joinOptions: unknown): boolean {
  return versioned.safeParse(joinOptions).success;
}
