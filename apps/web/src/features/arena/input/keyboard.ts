import { type ActionName, actionOf, type Role, repeatOf } from './actions.ts';

/** Calls the handler of each action whose key is pressed, while `isActive`. Returns a function that stops. */
export function listenToKeys(
  role: Role,
  handlers: { readonly [name in ActionName]?: (code: string) => void },
  isActive: () => boolean = () => true,
): () => void {
  const repeating = new Map<string, ReturnType<typeof setInterval>>();
  const stop = (code: string) => {
    clearInterval(repeating.get(code));
    repeating.delete(code);
  };
  const stopAll = () => {
    for (const code of [...repeating.keys()]) stop(code);
  };
  const onDown = (event: KeyboardEvent) => {
    const { code } = event;
    const name = actionOf(code, role);
    const handle = name && handlers[name];
    if (!handle || !isActive() || isForPage(event)) return;
    event.preventDefault();
    if (event.repeat) return;
    handle(code);
    const repeatEveryMs = repeatOf(name);
    if (repeatEveryMs === undefined || repeating.has(code)) return;
    repeating.set(
      code,
      setInterval(() => (isActive() ? handle(code) : stop(code)), repeatEveryMs),
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

/**
 * Keeps Tab from moving the focus out of the arena: Space would then press a button instead of splitting. Everything
 * has a key of its own, or is behind Escape. Returns a function that stops.
 */
export function keepFocusInArena(): () => void {
  const onDown = (event: KeyboardEvent) => {
    if (event.code === 'Tab' && !isForPage(event)) event.preventDefault();
  };
  window.addEventListener('keydown', onDown);
  return () => window.removeEventListener('keydown', onDown);
}

/** The keys held down right now, for movement that lasts as long as they are. */
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

/** Shortcuts of the browser, and keys typed into a field or pressed on a button. */
function isForPage(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey || isTyping(event);
}

const TAKES_KEYS = 'input, textarea, select, button, a, [contenteditable], [role="dialog"], [role="slider"]';

function isTyping({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.closest(TAKES_KEYS) !== null;
}
