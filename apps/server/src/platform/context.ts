import type { Logger } from 'pino';
import type { Chain } from './chain.ts';
import type { Database } from './database/open-database.ts';
import type { JobQueue } from './jobs.ts';
import type { Presence } from './presence.ts';
import type { Tickets } from './tickets.ts';

/** What the server's parts share. Made once at start-up and passed on. */
export type Context = {
  readonly db: Database;
  readonly jobs: Pick<JobQueue, 'nudge'>;
  readonly chain: Chain;
  readonly presence: Presence;
  readonly tickets: Tickets;
  readonly logger: Logger;
  /** Names this process in entries that it plays. */
  readonly processId: string;
  nowMs(): number;
};
