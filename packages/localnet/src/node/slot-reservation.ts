import type { Journal } from '../journal/journal.ts';
import { readCurrentSlot } from './finality.ts';
import type { Surfpool } from './surfpool.ts';

/** More than the 150 slots a blockhash lives, so that none from before a restart is accepted after it. */
const RESTART_GAP_SLOTS = 200n;
const RESERVATION_SLOTS = 4_000n;
const EXTEND_BELOW_SLOTS = 2_000n;
/** A tenth of what is left when the reservation is extended. */
const CHECK_SLOTS = 200;

/**
 * Slots are reserved on disk in advance, in large steps, and never used twice. So a start is beyond every slot, block
 * height and last valid block height anyone has seen, and every transaction that had not landed has expired.
 */
export function reserveStartSlot(journal: Journal): bigint {
  const startSlot = journal.reservedSlot() + RESTART_GAP_SLOTS;
  journal.reserveSlots(startSlot + RESERVATION_SLOTS);
  return startSlot;
}

export function keepSlotsReserved(
  surfpool: Surfpool,
  journal: Journal,
  slotTimeMs: number,
  onError: (error: unknown) => void,
): { stop(): void } {
  const extend = async (): Promise<void> => {
    const slot = await readCurrentSlot(surfpool);
    if (journal.reservedSlot() - slot < EXTEND_BELOW_SLOTS) journal.reserveSlots(slot + RESERVATION_SLOTS);
  };
  let stopped = false;
  const timer = setInterval(() => {
    extend().catch((error) => {
      if (!stopped) onError(error);
    });
  }, CHECK_SLOTS * slotTimeMs);
  return {
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}
