import { vi } from 'vitest';

/** Waits until the check no longer throws. A busy machine takes longer than the second that is the default. */
export function soon<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, { timeout: 20_000 });
}
