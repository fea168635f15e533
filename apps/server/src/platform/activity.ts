import type { Server } from 'node:http';

/** Whether anybody uses this process: an open page keeps a connection to the menu or to a room. */
export type Activity = {
  isIdle(): boolean;
  /** Whether nobody has been connected for a while. */
  isQuiet(): boolean;
  /** Called when the first client connects after a pause. */
  onBusy(listener: () => void): void;
  /** Called once each time the process becomes idle. */
  onQuiet(listener: () => void): void;
};

/** By then the rooms are paused as well. */
const QUIET_AFTER_MS = 90_000;

export function watchConnections(server: Pick<Server, 'on'>): Activity {
  const onBusy: (() => void)[] = [];
  const onQuiet: (() => void)[] = [];
  let open = 0;
  let isQuiet = false;
  const tellLater = () =>
    setTimeout(() => {
      isQuiet = true;
      for (const listener of onQuiet) listener();
    }, QUIET_AFTER_MS).unref();
  let quiet = tellLater();
  server.on('connection', (socket) => {
    clearTimeout(quiet);
    isQuiet = false;
    open++;
    socket.once('close', () => {
      if (--open === 0) quiet = tellLater();
    });
    if (open === 1) for (const listener of onBusy) listener();
  });
  return {
    isIdle: () => open === 0,
    isQuiet: () => isQuiet,
    onBusy: (listener) => onBusy.push(listener),
    onQuiet: (listener) => onQuiet.push(listener),
  };
}
