import { listUndecidedPayments } from '../entries/undecided-payments.ts';
import type { Context } from '../platform/context.ts';
import { lookRegularly } from './look-regularly.ts';
import type { Visitors } from './visitors.ts';

const LOOKS = { everyMs: 300, what: 'undecided payments' } as const;
/** Without undecided payments, every fourth poll is enough: a new one takes longer than that to be paid. */
const QUIET_LOOKS = 4;

/**
 * Tells a player's windows that a payment is decided, so that they ask for the ticket at once. The worker may run in
 * another process, so this polls the table. If it misses a payment, the page finds out by polling.
 */
export function watchPayments(context: Pick<Context, 'db' | 'logger'>, visitors: Visitors): () => void {
  let undecided: Awaited<ReturnType<typeof listUndecidedPayments>> = new Map();
  let looks = 0;
  return lookRegularly(context, visitors, LOOKS, async () => {
    if (undecided.size === 0 && looks++ % QUIET_LOOKS !== 0) return;
    const now = await listUndecidedPayments(context);
    for (const [paymentSessionId, userId] of undecided) {
      if (!now.has(paymentSessionId)) visitors.windowsOf(userId).emit('payment:update', { paymentSessionId });
    }
    undecided = now;
  });
}
