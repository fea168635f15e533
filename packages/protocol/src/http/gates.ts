import { z } from 'zod';
import { type HttpCall, perMinute } from './call.ts';

const countryCodeSchema = z.string().regex(/^[A-Z]{2}$/);

/** What operators have switched on or off. */
export const readGates = {
  method: 'GET',
  path: '/api/auth/countries-list',
  answer: z.object({
    blockedCountryCodes: z.array(countryCodeSchema),
    isBetaEnable: z.boolean(),
    /** The game is being upgraded: nobody may enter. */
    isUpgrading: z.boolean().default(false),
    /** Whether the daily maintenance is announced. */
    isMaintenanceAnnounced: z.boolean().default(false),
    /** Whether the chat is read and written. */
    isChatOpen: z.boolean().default(true),
    /** Whether a window that is playing is also warned of another session. */
    isSessionOverlayOn: z.boolean().default(false),
    /** Why nobody can pay for an entry now: the node of the chain is away, or operators have paused it. */
    entriesPausedBy: z.enum(['chain', 'operators']).nullable().default(null),
  }),
  limit: perMinute(120),
} as const satisfies HttpCall;

export type Gates = z.infer<typeof readGates.answer>;

/** The country that the caller's address belongs to; null if unknown. */
export const readCountry = {
  method: 'GET',
  path: '/api/geo',
  answer: z.object({ country_code: countryCodeSchema.nullable() }),
  limit: perMinute(60),
} as const satisfies HttpCall;
