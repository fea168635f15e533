import { pino } from 'pino';
import type { Chain } from '../src/platform/chain/chain.ts';
import type { Context } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/open-database.ts';
import { createLoneState } from '../src/platform/fleet/shared-state.ts';
import { deriveKeys } from '../src/platform/purpose-keys.ts';
import { openSwitches } from '../src/platform/switches.ts';

const CHAIN = { mode: 'embedded', publicRpcUrl: 'http://localhost', publicWsUrl: 'ws://localhost' };

type Change = Partial<Omit<Context, 'db'>>;

/**
 * For tests that need a database but no chain: whatever asks a node throws. Files have no storage unless the test
 * brings one.
 */
export function createBareContext(db: Database, change: Change = {}): Context {
  const { logger = pino({ level: 'silent' }), nowMs = Date.now } = change;
  return {
    db,
    chain: CHAIN as unknown as Chain,
    ...createLoneState({ logger, nowMs }),
    switches: openSwitches(db, nowMs),
    keys: deriveKeys('a secret that is long enough for a test'),
    logger,
    processId: 'here',
    release: '0.1.0',
    nowMs,
    ...change,
  } satisfies Omit<Context, 'storage'> as Context;
}
