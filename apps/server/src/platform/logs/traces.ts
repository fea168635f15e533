import type { EntryId } from '@engulf/domain/ids/entity-ids';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Span } from './trace-sender.ts';

/** What happens to an entry on its way from the first click to the wallet, in the order in which it does. */
type TraceStep =
  | 'join lobby'
  | 'claim payment'
  | 'verify payment'
  | 'issue ticket'
  | 'enter room'
  | 'play'
  | 'settle entry'
  | 'sign payout'
  | 'pay out';

/**
 * Follows entries through all processes. The trace of an entry is named by the entry's id, so no process has to tell
 * another which one it is. A step that is rolled back and repeated is there twice, as in the log.
 */
export type Traces = {
  /** A step that ends now. The first one of an entry is `join lobby`, and the others are its children. */
  step(
    entryId: EntryId,
    name: TraceStep,
    sinceMs: number,
    facts?: Span['facts'],
    options?: { readonly isFailure: boolean },
  ): void;
  /** Sends what is left. */
  close(): Promise<void>;
};

type Deps = { readonly logger: Logger; readonly processId: string; nowMs(): number };

/** Undefined unless somebody collects traces. */
export async function openTraces(config: Config['traces'], deps: Deps): Promise<Traces | undefined> {
  if (!config) return undefined;
  const { createTraceSender } = await import('./trace-sender.ts');
  const sender = createTraceSender(config, deps);
  return {
    step: (entryId, name, sinceMs, facts = {}, { isFailure } = { isFailure: false }) => {
      const endMs = deps.nowMs();
      // The beginning may be of another machine, whose clock is ahead.
      const startMs = Math.min(sinceMs, endMs);
      const isRoot = name === 'join lobby';
      sender.add({ traceId: traceIdOf(entryId), isRoot, name, startMs, endMs, facts, isFailure });
    },
    close: () => sender.close(),
  };
}

/** A trace id is 16 bytes in hex, and so is a UUID but for its hyphens. */
export function traceIdOf(entryId: string): string {
  return entryId.replaceAll('-', '');
}
