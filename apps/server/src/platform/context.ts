import type { Logger } from 'pino';
import type { Chain } from './chain/chain.ts';
import type { Database } from './database/open-database.ts';
import type { Bus } from './fleet/bus.ts';
import type { Presence } from './fleet/presence.ts';
import type { RateLimits } from './fleet/rate-limits.ts';
import type { Traces } from './logs/traces.ts';
import type { PurposeKeys } from './purpose-keys.ts';
import type { Storage } from './storage/storage.ts';
import type { Switches } from './switches.ts';

/** What the parts of the server share. Created once at start-up and passed on. */
export type Context = {
  readonly db: Database;
  readonly chain: Chain;
  readonly presence: Presence;
  /** Sends events to all processes. */
  readonly bus: Bus;
  readonly rateLimits: RateLimits;
  /** Avatars, share cards and recordings. */
  readonly storage: Storage;
  /** Recordings of old matches. Undefined if nothing is archived. */
  readonly archive?: Storage | undefined;
  readonly keys: PurposeKeys;
  /** What operators change while the servers run. */
  readonly switches: Switches;
  readonly logger: Logger;
  /** Undefined unless somebody collects them. */
  readonly traces?: Traces | undefined;
  /** Names this process in the leases and entries that it holds. */
  readonly processId: string;
  /** What recordings name as the program that played them. */
  readonly release: string;
  nowMs(): number;
};
