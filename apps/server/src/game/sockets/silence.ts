import type { Clock } from '../ports.ts';

/*
 * A network that fails sends no notice, so a client that says nothing is asked whether it is still there. Players send
 * their pointer all the time and are hardly ever asked. Every socket has its own rhythm: asking all of a full room in
 * one go made that tick late.
 */

const CHECK_MS = 2_000;
/** Checks in a row with nothing heard before them. Then the client has had two questions and four seconds. */
const MAX_SILENT_CHECKS = 3;

type Silence = {
  /** Something has come from the client. */
  heard(): void;
  stop(): void;
};

export function watchSilence(clock: Clock, ask: () => void, giveUp: () => void): Silence {
  let silentChecks = 0;
  let cancel = clock.setTimer(CHECK_MS, check);
  return {
    heard: () => {
      silentChecks = 0;
    },
    stop: () => cancel(),
  };

  function check(): void {
    if (silentChecks === MAX_SILENT_CHECKS) {
      giveUp();
      return;
    }
    if (silentChecks > 0) ask();
    silentChecks++;
    cancel = clock.setTimer(CHECK_MS, check);
  }
}
