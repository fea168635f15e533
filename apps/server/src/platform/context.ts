import type { Logger } from 'pino';
import type { Bus } from './bus.ts';
import type { Chain } from './chain.ts';
import type { Database } from './database/open-database.ts';
import type { Presence } from './presence.ts';
import type { RateLimits } from './rate-limits.ts';
import type { Storage } from './storage.ts';
import type { Switches } from './switches.ts';
import type { Traces } from './traces.ts';

/** What the parts of the server share. Created once at start-up and passed on. */
export type Context = {
  readonly db: Database;
  readonly chain: Chain;
  readonly presence: Presence;
  /** Events for all processes. */
  readonly bus: Bus;
  readonly rateLimits: RateLimits;
  /** Avatars, share cards and recordings. */
  readonly storage: Storage;
  /** Signs the tickets into the rooms. */
  readonly ticketKey: Uint8Array;
  /** What operators change while the servers run. */
  readonly switches: Switches;
  readonly logger: Logger;
  /** Undefined unless somebody collects them. */
  readonly traces?: Traces | undefined;
  /** Names this process in the leases and entries that it holds. */
  readonly processId: string;
  nowMs(): number;
};
