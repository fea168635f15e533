import { listUndecidedPayments } from '../entries/undecided-payments.ts';
import type { Context } from '../platform/context.ts';
import type { Visitors } from './visitors.ts';

const LOOK_MS = 300;

/**
 * Tells a player's windows that a payment is decided, so that they ask for the ticket at once. The worker that decides may
 * be another process, so this looks into the table. What it misses, the page finds out by polling.
 */
export function watchPayments(context: Context, visitors: Visitors): () => void {
  let undecided: Awaited<ReturnType<typeof listUndecidedPayments>> = new Map();
  let isReading = false;
  let isStopped = false;
  const look = async () => {
    if (isReading || visitors.userIds().length === 0) return;
    isReading = true;
    try {
      const now = await listUndecidedPayments(context);
      for (const [paymentSessionId, userId] of undecided) {
        if (!now.has(paymentSessionId))
          visitors.windowsOf(userId).emit('payment:update', { paymentSessionId });
      }
      undecided = now;
    } catch (error) {
      if (!isStopped)
        context.logger.error({ code: 'MENU_NOT_READ', err: error }, 'undecided payments could not be read');
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
