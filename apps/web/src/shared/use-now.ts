import { useEffect, useState } from 'react';
import { serverNowMs } from './server-clock.ts';

/** The current time by the server's clock, refreshed at this interval. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serverNowMs);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serverNowMs()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}
