/** Keys held down repeat at our own pace; the keyboard's differs from machine to machine. */
const EJECT_EVERY_MS = 130;

export type KeyActions = {
  readonly [code in string]: { readonly press: () => void; readonly repeatEveryMs?: number };
};

export function playerKeys(actions: { eject: () => void; split: () => void }): KeyActions {
  return {
    KeyW: { press: actions.eject, repeatEveryMs: EJECT_EVERY_MS },
    Space: { press: actions.split },
  };
}

/** Listens to the keyboard. Keys that go to a text field or a button, or with a modifier, are not ours. */
export function listenToKeys(actions: KeyActions, isActive: () => boolean): () => void {
  const repeating = new Map<string, ReturnType<typeof setInterval>>();
  const stop = (code: string) => {
    clearInterval(repeating.get(code));
    repeating.delete(code);
  };
  const stopAll = () => {
    for (const code of [...repeating.keys()]) stop(code);
  };
  const onDown = (event: KeyboardEvent) => {
    const action = actions[event.code];
    if (!action || !isActive() || isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.repeat) return;
    action.press();
    if (action.repeatEveryMs === undefined || repeating.has(event.code)) return;
    repeating.set(
      event.code,
      setInterval(() => (isActive() ? action.press() : stop(event.code)), action.repeatEveryMs),
    );
  };
  const onUp = (event: KeyboardEvent) => stop(event.code);
  window.addEventListener('keydown', onDown);
  window.addEventListener('keyup', onUp);
  window.addEventListener('blur', stopAll);
  return () => {
    stopAll();
    window.removeEventListener('keydown', onDown);
    window.removeEventListener('keyup', onUp);
    window.removeEventListener('blur', stopAll);
  };
}

/** Which keys are down, for what moves as long as they are. */
export function trackHeldKeys(): { readonly held: ReadonlySet<string>; stop(): void } {
  const held = new Set<string>();
  const onDown = (event: KeyboardEvent) => {
    if (!isTyping(event)) held.add(event.code);
  };
  const onUp = (event: KeyboardEvent) => held.delete(event.code);
  const clear = () => held.clear();
  window.addEventListener('keydown', onDown);
  window.addEventListener('keyup', onUp);
  window.addEventListener('blur', clear);
  return {
    held,
    stop() {
      window.removeEventListener('keydown', onDown);
      window.removeEventListener('keyup', onUp);
      window.removeEventListener('blur', clear);
    },
  };
}

const TAKES_KEYS = 'input, textarea, select, button, a, [contenteditable], [role="dialog"]';

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest(TAKES_KEYS) !== null;
}
