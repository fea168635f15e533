import { afterAll, vi } from 'vitest';

// The next file of this worker finds the world as it is.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
