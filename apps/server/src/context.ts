import type { Logger } from 'pino';
import type { Chain } from './chain/open-chain.ts';
import type { Database } from './database/open-database.ts';
import type { Tickets } from './entries/tickets.ts';
import type { JobQueue } from './jobs/job-queue.ts';
import type { Presence } from './lobbies/presence.ts';

/** What the server's parts share. Made once at start-up and passed on. */
export interface Context {
  readonly db: Database;
  readonly jobs: Pick<JobQueue, 'nudge'>;
  readonly chain: Chain;
  readonly presence: Presence;
  readonly tickets: Tickets;
  readonly logger: Logger;
  /** Names this process in entries that it plays. */
  readonly processId: string;
  nowMs(): number;
}
